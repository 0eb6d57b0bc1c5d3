import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOutcome, isPromisedRefusal, quantile, record, recordUnexpected, sumOf } from './outcome.ts'

const PROBLEM = {
  Type: 'https://x/problemas/sobrecarga',
  Title: 'Sobrecarga',
  Status: 503,
  Detail: 'Vuelva.',
  Instance: '/v3',
  Extensions: {},
}
const HEAD = 'HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\nretry-after: 5'
const refusal = { status: 503, head: HEAD, body: JSON.stringify(PROBLEM) }
const at = { dueMs: 1_000, atMs: 1_250.7 }

describe('flood: classification of responses', () => {
  it('201 with a sid is a success, timed from when the request was due', () => {
    const outcome = createOutcome()
    record(outcome, { status: 201, head: 'HTTP/1.1 201\r\nlocation: /interno/v1/consultas/abc12', body: '', ...at })
    assert.deepEqual([outcome.sids, outcome.wrong], [['abc12'], 0])
    assert.equal(quantile(outcome.servedMs, 0.99), 250)
  })

  it('201 without a location is wrong, and so are 200, 400 and 500; only 500 is a server error', () => {
    const outcome = createOutcome()
    for (const status of [201, 200, 400, 500]) record(outcome, { status, head: `HTTP/1.1 ${status}`, body: 'x', ...at })
    assert.deepEqual([outcome.wrong, outcome.serverErrors, outcome.sids], [4, 1, []])
    assert.equal(outcome.firstWrong, 'HTTP/1.1 201 x')
    assert.equal(quantile(outcome.servedMs, 0.99), undefined)
  })

  it('503 and 429 count as refusals only as complete problems with Retry-After', () => {
    const with429 = { ...refusal, status: 429, body: JSON.stringify({ ...PROBLEM, Status: 429 }) }
    for (const each of [refusal, with429]) assert.equal(isPromisedRefusal(each), true)
    for (const broken of [
      { ...refusal, head: HEAD.replace(/\r\nretry-after.*/, '') },
      { ...refusal, head: HEAD.replace('retry-after: 5', 'retry-after: 0') },
      { ...refusal, head: HEAD.replace('problem+json', 'json') },
      { ...refusal, status: 429 }, // the body has another status
      { ...refusal, status: 500, body: JSON.stringify({ ...PROBLEM, Status: 500 }) },
      { ...refusal, body: refusal.body.slice(0, -1) },
      { ...refusal, body: '' },
      ...Object.keys(PROBLEM).map((name) => ({ ...refusal, body: JSON.stringify({ ...PROBLEM, [name]: undefined }) })),
    ])
      assert.equal(isPromisedRefusal(broken), false, JSON.stringify(broken))
    const outcome = createOutcome()
    record(outcome, { ...refusal, ...at })
    record(outcome, { ...refusal, body: '', ...at })
    assert.deepEqual([outcome.refused, outcome.wrong, outcome.serverErrors], [{ 503: 1 }, 1, 1])
  })

  it('a response without a request is wrong', () => {
    const outcome = createOutcome()
    recordUnexpected(outcome, 'HTTP/1.1 201')
    assert.deepEqual([outcome.wrong, outcome.sids], [1, []])
    assert.match(outcome.firstWrong, /without a request: HTTP\/1\.1 201/)
  })

  it('a quantile of nothing is undefined; of several clients it covers all', () => {
    assert.equal(quantile([], 0.99), undefined)
    const [quick, slow] = [createOutcome(), createOutcome()]
    quick.servedMs[3] = 99
    slow.servedMs[700] = 1
    const { servedMs } = sumOf([quick, slow])
    assert.deepEqual(
      [0.5, 0.99, 1].map((share) => quantile(servedMs, share)),
      [3, 3, 700],
    )
  })

  it('the sum includes the errors of every client', () => {
    const bad = {
      ...createOutcome(),
      sent: 5,
      unsent: 1,
      wrong: 2,
      firstWrong: 'x',
      serverErrors: 1,
      broken: 3,
      unanswered: 4,
    }
    const sum = sumOf([createOutcome(), bad])
    assert.deepEqual({ ...sum, servedMs: [], refusedMs: [] }, bad)
  })
})
