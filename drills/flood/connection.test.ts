import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { until } from '../../tests/support/until.ts'
import { Connection, type Response } from './connection.ts'

const answer = (status: number, body = '') =>
  `HTTP/1.1 ${status} X\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const REQUEST = Buffer.from('GET / HTTP/1.1\r\n\r\n')

describe('flood: a connection on which several are asked', () => {
  let server: Server
  let far: Socket
  let line: Connection
  let heard: Response[]
  let unasked: string[]
  let lost: number[]

  beforeEach(async () => {
    const mine = { heard: [] as Response[], unasked: [] as string[], lost: [] as number[] }
    ;({ heard, unasked, lost } = mine)
    server = createServer((socket) => {
      far = socket.on('error', () => undefined)
      socket.once('data', () => socket.write(answer(200)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    line = new Connection((server.address() as AddressInfo).port, {
      heard: (each) => void mine.heard.push(each),
      unasked: (head) => void mine.unasked.push(head),
      lost: (requests) => void mine.lost.push(requests),
    })
    await line.greet()
  })
  afterEach(() => {
    line.close()
    far.destroy()
    server.close()
  })

  it('answers are those of the requests in their order, however they are cut', async () => {
    line.ask([REQUEST, REQUEST, REQUEST], [1, 2, 3])
    const text = `${answer(201, 'uno')}${answer(429, '{"a":1}')}${answer(503)}`
    for (const piece of [text.slice(0, 5), text.slice(5, 44), text.slice(44, -1), text.slice(-1)]) {
      far.write(piece)
      await new Promise(setImmediate)
    }
    await until(() => heard.length === 3)
    assert.deepEqual(
      heard.map(({ status, body, dueMs }) => [status, body, dueMs]),
      [
        [201, 'uno', 1],
        [429, '{"a":1}', 2],
        [503, '', 3],
      ],
    )
    assert.ok(line.isIdle)
  })

  it('a connection that ends says how many of its requests were never answered', async () => {
    line.ask([REQUEST, REQUEST], [1, 2])
    far.end(`${answer(201)}HTTP/1.1 201 X\r\ncontent-length: 10\r\n\r\nhalf`)
    await until(() => lost.length > 0)
    assert.deepEqual([heard.length, lost, line.isOpen], [1, [1], false])
  })

  it('an answer that nobody asked for is not heard as one of those', async () => {
    line.ask([REQUEST], [1])
    far.write(`${answer(201)}${answer(201)}`)
    await until(() => unasked.length > 0)
    assert.equal(heard.length, 1)
  })

  it('a server that takes no connection is an error, not a wait', async () => {
    const other = new Connection((server.address() as AddressInfo).port, {
      heard: () => undefined,
      unasked: () => undefined,
      lost: () => undefined,
    })
    server.once('connection', (socket) => socket.destroy())
    await assert.rejects(other.greet(), /took no connection/)
  })
})
