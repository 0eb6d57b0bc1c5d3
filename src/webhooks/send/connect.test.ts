import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, connect as open } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { openResolver, readInSlices } from './connect.ts'

const SERVFAIL = 2
const NXDOMAIN = 3

describe('a name', () => {
  let nameServer: Socket
  let folder: string
  let rcode = NXDOMAIN
  let resolve: (name: string) => Promise<string[]>

  before(async () => {
    nameServer = createSocket('udp4').on('message', (query, { port, address }) => {
      query.writeUInt8(query.readUInt8(2) | 0x80, 2) // an answer …
      query.writeUInt8((query.readUInt8(3) & 0xf0) | rcode, 3) // … that there is none
      nameServer.send(query, port, address)
    })
    nameServer.bind(0, '127.0.0.1')
    await once(nameServer, 'listening')
    folder = await mkdtemp(join(tmpdir(), 'rodado-hosts-'))
    const hostsFile = join(folder, 'hosts')
    await writeFile(
      hostsFile,
      '# ours\n10.1.2.3\tCRM.interno.test crm # receptor.test\nfd00::1 crm.interno.test\nnada crm\n',
    )
    resolve = openResolver({ servers: [`127.0.0.1:${nameServer.address().port}`], hostsFile })
  })
  after(async () => {
    nameServer.close()
    await rm(folder, { recursive: true })
  })

  it('that DNS does not know may stand in the hosts file', async () => {
    rcode = NXDOMAIN
    assert.deepEqual(await resolve('crm.interno.test'), ['10.1.2.3', 'fd00::1'])
    assert.deepEqual(await resolve('crm'), ['10.1.2.3'])
    await assert.rejects(resolve('receptor.test'), { code: 'ENOTFOUND' })
  })

  it('of a stranger is not looked up by the system, which would wait for its name server in a shared thread', async () => {
    rcode = SERVFAIL
    await assert.rejects(resolve('receptor.test'), { code: 'ESERVFAIL', syscall: /^query/ })
  })

  it('without a dot is, since it may need a search domain', async () => {
    rcode = NXDOMAIN
    assert.ok((await resolve('localhost')).some((address) => ['127.0.0.1', '::1'].includes(address)))
  })
})

test('what a socket receives is read in slices, in its order, and no more once it is closed', async () => {
  const sent = Buffer.alloc(100_000, 'abcdefghij')
  const server = createServer((socket) => socket.on('error', () => undefined).write(sent)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const socket = open(port, '127.0.0.1')
  const checked: Buffer[] = []
  readInSlices(socket, (slice) => {
    checked.push(slice)
    if (checked.length === 20) socket.destroy()
  })
  const read: Buffer[] = []
  socket.on('readable', () => {
    for (let slice = socket.read(); slice !== null; slice = socket.read()) read.push(slice)
  })
  await once(socket, 'close')
  server.close()
  assert.equal(checked.length, 20)
  assert.deepEqual(read, checked.slice(0, 19))
  const all = Buffer.concat(checked)
  assert.ok(all.equals(sent.subarray(0, all.length)) && checked.every(({ length }) => length <= 1_024))
})
