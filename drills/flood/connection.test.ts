import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { until } from '../../tests/support/until.ts'
import { Connection, type Response } from './connection.ts'

const answer = (status: number, body = '') =>
  `HTTP/1.1 ${status} X\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const REQUEST = Buffer.from('GET / HTTP/1.1\r\n\r\n')

describe('flood: pipelined connection', () => {
  let server: Server
  let far: Socket
  let connection: Connection
  let responses: Response[]
  let unexpected: string[]
  let lost: number[]

  beforeEach(async () => {
    const mine = { responses: [] as Response[], unexpected: [] as string[], lost: [] as number[] }
    ;({ responses, unexpected, lost } = mine)
    server = createServer((socket) => {
      far = socket.on('error', () => undefined)
      socket.once('data', () => socket.write(answer(200)))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    connection = new Connection((server.address() as AddressInfo).port, {
      onResponse: (each) => void mine.responses.push(each),
      onUnexpected: (head) => void mine.unexpected.push(head),
      onClose: (requests) => void mine.lost.push(requests),
    })
    await connection.accepted()
  })
  afterEach(() => {
    connection.close()
    far.destroy()
    server.close()
  })

  it('matches responses to requests in order, however they are split', async () => {
    connection.send([REQUEST, REQUEST, REQUEST], [1, 2, 3])
    const text = `${answer(201, 'uno')}${answer(429, '{"a":1}')}${answer(503)}`
    for (const piece of [text.slice(0, 5), text.slice(5, 44), text.slice(44, -1), text.slice(-1)]) {
      far.write(piece)
      await new Promise(setImmediate)
    }
    await until(() => responses.length === 3)
    assert.deepEqual(
      responses.map(({ status, body, dueMs }) => [status, body, dueMs]),
      [
        [201, 'uno', 1],
        [429, '{"a":1}', 2],
        [503, '', 3],
      ],
    )
    assert.ok(connection.isIdle)
  })

  it('counts the unanswered requests of a connection that ends', async () => {
    connection.send([REQUEST, REQUEST], [1, 2])
    far.end(`${answer(201)}HTTP/1.1 201 X\r\ncontent-length: 10\r\n\r\nhalf`)
    await until(() => lost.length > 0)
    assert.deepEqual([responses.length, lost, connection.isOpen], [1, [1], false])
  })

  it('reports a response without a request', async () => {
    connection.send([REQUEST], [1])
    far.write(`${answer(201)}${answer(201)}`)
    await until(() => unexpected.length > 0)
    assert.equal(responses.length, 1)
  })

  it('fails if the server accepts no connection', async () => {
    const other = new Connection((server.address() as AddressInfo).port, {
      onResponse: () => undefined,
      onUnexpected: () => undefined,
      onClose: () => undefined,
    })
    server.once('connection', (socket) => socket.destroy())
    await assert.rejects(other.accepted(), /accepted no connection/)
  })
})
