import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { headersOf, ResponseReader } from './http-reader.ts'

const LENGTH = 'HTTP/1.1 201 Created\r\nContent-Length: 3\r\nVary: a\r\nVary: b\r\n\r\nuno'
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nuno\r\n2\r\nsi\r\n0\r\n\r\n'
const EMPTY = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n'

describe('http reader', () => {
  it('reads the same responses however the bytes are split', () => {
    const bytes = Buffer.from(LENGTH + CHUNKED + EMPTY)
    for (let size = 1; size <= bytes.length; size++) {
      const reader = new ResponseReader()
      const seen: [number, string][] = []
      for (let at = 0; at < bytes.length; at += size) {
        reader.push(bytes.subarray(at, at + size))
        for (let next = reader.next(); next; next = reader.next()) seen.push([next.status, next.body.toString()])
      }
      const expected = [
        [201, 'uno'],
        [200, 'unosi'],
        [304, ''],
      ]
      assert.deepEqual([seen, reader.unread], [expected, 0])
    }
  })

  it('a body without a length ends with the connection; a response to HEAD has none', () => {
    const reader = new ResponseReader()
    reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\nhasta el final'))
    assert.equal(reader.next(), undefined)
    reader.end()
    assert.equal(reader.next()?.body.toString(), 'hasta el final')
    reader.push(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'))
    assert.equal(reader.next({ isHead: true })?.body.length, 0)
  })

  it('headers have their names in lower case; of repeated ones the last counts', () => {
    const reader = new ResponseReader()
    reader.push(Buffer.from(LENGTH))
    assert.deepEqual(
      [...headersOf(reader.next() ?? { head: '' })],
      [
        ['content-length', '3'],
        ['vary', 'b'],
      ],
    )
  })
})
