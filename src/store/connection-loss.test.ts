import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import sql from 'sql-template-tag'
import { isUnavailable } from './circuit-breaker.ts'
import { openStore } from './db.ts'

/** A message of PostgreSQL's protocol: its letter, its length, its contents. */
function message(type: string, ...contents: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(contents.map((part) => Buffer.from(part as string)))
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', 'I')])
const GOODBYE = message('E', 'SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0')
const COLUMN = Buffer.from('\0\x01readOnly\0\0\0\0\0\0\0\0\0\0\x10\0\x01\xff\xff\xff\xff\0\0', 'latin1')
const TAKES_WRITES = Buffer.concat([
  message('T', COLUMN),
  message('D', Buffer.from('\0\x01\0\0\0\x01f', 'latin1')),
  message('C', 'SELECT 1\0'),
  message('Z', 'I'),
])

let server: Server
let port: number
let goodbyes = 0

/** Says to a probe that it takes writes; lets anybody else in and goes, in one breath. */
function answer(socket: Socket): void {
  socket.once('data', (startup) => {
    if (startup.includes('rodado probe')) {
      socket.write(WELCOME)
      socket.once('data', () => socket.write(TAKES_WRITES))
      return
    }
    goodbyes++
    socket.end(Buffer.concat([WELCOME, GOODBYE]))
  })
  socket.on('error', () => undefined)
}

before(async () => {
  server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
after(() => server.close())

for (const [title, hosts] of [
  ['one server', (at: number) => `127.0.0.1:${at}`],
  ['several servers', (at: number) => `127.0.0.1:${at},127.0.0.1:${at}`],
] as const)
  test(`${title}: one that goes as it lets us in is away, and the process lives`, async () => {
    const before = goodbyes
    const store = openStore({ connection: { connectionString: `postgres://u:p@${hosts(port)}/db` }, max: 2 })
    await assert.rejects(store.query(sql`select 1`), isUnavailable)
    await assert.rejects(
      store.transaction((tx) => tx.query(sql`select 1`)),
      isUnavailable,
    )
    assert.ok(goodbyes - before >= 2)
    await store.close()
  })

for (const [what, code] of [
  ['its idle session', '57P05'],
  ['its idle transaction', '25P03'],
  ['its long transaction', '25P04'],
])
  test(`a connection that PostgreSQL ends by a timeout for ${what} is away, and no fault of ours`, async (t) => {
    const refusal = Buffer.concat([message('E', 'SERROR\0C42501\0Mpermission denied\0\0'), message('Z', 'I')])
    const ending = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.write(WELCOME)
        socket.once('data', () => {
          socket.write(refusal) // says nothing about the cause
          socket.once('data', () => socket.end(message('E', `SFATAL\0C${code}\0Mterminating connection\0\0`)))
        })
      })
    }).listen(0, '127.0.0.1')
    t.after(() => ending.close())
    await once(ending, 'listening')
    const { port: at } = ending.address() as AddressInfo
    const store = openStore({ connection: { connectionString: `postgres://u:p@127.0.0.1:${at}/db` }, max: 1 })
    await assert.rejects(
      store.query(sql`select 1`),
      (error: { code?: string }) => error.code === code && isUnavailable(error),
    )
    await store.close()
  })
