import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Answer } from './answer.ts'

const read = (...pieces: string[]): Answer => {
  const answer = new Answer()
  for (const piece of pieces) {
    const bytes = Buffer.from(piece, 'latin1')
    answer.read(bytes)
    bytes.fill('#') // as the next piece is
  }
  return answer
}
const seen = (answer: Answer) => ({
  status: answer.status,
  text: answer.text(),
  isOver: answer.isOver,
  isReusable: answer.isReusable,
})
const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n4\r\nHola\r\n5;a=b\r\n, vos\r\n0\r\nX-Trailer: 1\r\n\r\n`

describe('an answer', () => {
  it('ends where its length, its chunks or its status say, and then the connection can be used again', () => {
    const whole: [string, number, string | null][] = [
      [`${OK}Content-Length: 4\r\n\r\nHola`, 200, 'Hola'],
      [`${OK}content-length:0\r\n\r\n`, 200, null],
      [CHUNKED, 200, 'Hola, vos'],
      ['HTTP/1.1 204 No Content\r\n\r\n', 204, null],
      [
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 202\r\nContent-Length: 1\r\n\r\nx',
        202,
        'x',
      ],
    ]
    for (const [bytes, status, text] of whole)
      assert.deepEqual(seen(read(bytes)), { status, text, isOver: true, isReusable: true }, bytes)
  })

  it('is the same in pieces of any size', () => {
    for (const bytes of [
      CHUNKED,
      `HTTP/1.1 100 Continue\r\n\r\n${OK}Retry-After: 7\r\nContent-Length: 6\r\n\r\ncortés`,
    ])
      fc.assert(
        fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
          const places = [0, ...cuts.sort((a, b) => a - b), bytes.length]
          const pieces = places.map((place, index) => bytes.slice(place, places[index + 1] ?? bytes.length))
          const answer = read(...pieces)
          assert.deepEqual(seen(answer), seen(read(bytes)))
          assert.equal(answer.isReusable, true)
        }),
      )
  })

  it('that ends with the connection is whole when it closes, and one that was promised more is not', () => {
    const until = read(`${OK}\r\nHola`)
    assert.deepEqual([until.isOver, until.close(), until.isReusable, until.text()], [false, true, false, 'Hola'])
    for (const cut of [`${OK}Content-Length: 9\r\n\r\nHola`, CHUNKED.slice(0, -2), 'HTTP/1.1 20'])
      assert.equal(read(cut).close(), false, cut)
  })

  it('costs the connection where its end is in any doubt', () => {
    for (const bytes of [
      `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${OK}Content-Length: 2\r\n\r\nHola`,
      `${OK}Content-Length: 2\r\n\r\nok${OK}`,
      `${OK}Content-Length: 0\r\nConnection: Keep-Alive, Close\r\n\r\n`,
      'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok',
      'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n',
      'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n',
    ])
      assert.deepEqual([read(bytes).isOver, read(bytes).isReusable], [true, false], bytes)
  })

  it('that is no HTTP is not understood, whatever came before', () => {
    for (const bytes of [
      '220 mail.test ESMTP\r\n',
      'HTTP/2 200\r\n\r\n',
      'HTTP/1.1 20 OK\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n',
      `${OK}no colon\r\n\r\n`,
      `${OK}Content-Length : 2\r\n\r\n`,
      `${OK}: 2\r\n\r\n`,
      'HTTP/1.1 200 OK\n',
      `${OK}Content-Length: 0\n\n`,
      `${OK}Transfer-Encoding: chunked\r\n\r\n4\n`,
      `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      `${OK}Content-Length: -1\r\n\r\n`,
      `${OK}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`,
      `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nHola\r\n`,
    ])
      assert.throws(() => read(bytes), { code: 'not-http' }, bytes)
    assert.throws(() => read(`${OK}X: ${'x'.repeat(20_000)}`), { code: 'long-headers' })
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const answer = new Answer()
        try {
          answer.read(Buffer.from(bytes))
        } catch (error) {
          assert.equal((error as { code: string }).code, 'not-http')
        }
        assert.equal(answer.status, null)
      }),
    )
  })

  it('is the same whether its head was known or not, and another head than that is understood by itself', () => {
    const answers = [
      `${OK}Content-Length: 4\r\n\r\nHola`,
      `${OK}Content-Length: 14\r\n\r\nHola otra vez.`,
      CHUNKED,
      `HTTP/1.1 100 Continue\r\n\r\n${CHUNKED}`,
      'HTTP/1.1 204 No Content\r\n\r\n',
      'HTTP/1.1 503 Busy\r\nRetry-After: 9\r\nConnection: close\r\n\r\nluego',
    ]
    for (const before of answers)
      for (const after of answers)
        for (const at of [after.length, 1, 30, after.length - 1]) {
          const answer = new Answer(read(before).knownHead)
          for (const piece of [after.slice(0, at), after.slice(at)]) answer.read(Buffer.from(piece))
          const alone = read(after)
          assert.deepEqual([seen(answer), answer.retryAfter], [seen(alone), alone.retryAfter], `${before} → ${after}`)
        }
  })

  it('without end in its heads is given up, whether they are many or long', () => {
    const hint = 'HTTP/1.1 103 Early Hints\r\n\r\n'
    assert.equal(read(hint.repeat(5), `${OK}Content-Length: 0\r\n\r\n`).isReusable, true)
    assert.throws(() => read(...Array(6).fill(hint)), { code: 'long-headers' })
    const long = `HTTP/1.1 103 Early Hints\r\nX: ${'x'.repeat(16_340)}\r\n\r\n`
    assert.throws(() => read(...Array(5).fill(long), 'HTTP/1.1 200 OK\r\n'.padEnd(500, 'x')), { code: 'long-headers' })
  })

  it('without end between or after its chunks is over where there is more of that than anybody needs', () => {
    const begun = `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`
    for (const [before, again] of [
      [`${begun}0\r\n`, `X-Trailer: ${'x'.repeat(900)}\r\n`],
      [begun, `1;a=${'x'.repeat(900)}\r\nx\r\n`],
    ] as const) {
      const some = read(before, ...Array(80).fill(again))
      assert.deepEqual([some.status, some.isOver], [200, false])
      const more = read(before, ...Array(100).fill(again))
      assert.deepEqual([more.status, more.isOver, more.isReusable], [200, true, false])
    }
  })

  it('is read as far as 64 KiB and kept as far as 4', () => {
    const answer = read(`${OK}Content-Length: 999999\r\n\r\n`, 'x'.repeat(5_000))
    assert.equal(answer.isOver, false)
    for (let turn = 0; turn < 13; turn++) answer.read(Buffer.alloc(5_000))
    assert.deepEqual([answer.isOver, answer.isReusable, answer.text()], [true, false, 'x'.repeat(4_096)])
  })
})
