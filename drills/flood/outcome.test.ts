import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOutcome, isPromisedRefusal, quantile, record, recordUnexpected, sumOf } from './outcome.ts'

const PROBLEM = {
  ...{ Type: 'https://x/problemas/sobrecarga', Title: 'Sobrecarga', Status: 503, Detail: 'Vuelva.', Instance: '/v3' },
  Extensions: {},
}
const HEAD = 'HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\nretry-after: 5'
const refusal = { status: 503, head: HEAD, body: JSON.stringify(PROBLEM) }
const at = { dueMs: 1_000, atMs: 1_250.7 }

describe('flood: what an answer counts as', () => {
  it('201 with a sid is taken, and its time counts from when it was due', () => {
    const outcome = createOutcome()
    record(outcome, { status: 201, head: 'HTTP/1.1 201\r\nlocation: /interno/v1/consultas/abc12', body: '', ...at })
    assert.deepEqual([outcome.sids, outcome.wrong], [['abc12'], 0])
    assert.equal(quantile(outcome.servedMs, 0.99), 250)
  })

  it('201 that names nothing is wrong, and so are 200, 400 and 500; only the last is a fault of the server', () => {
    const outcome = createOutcome()
    for (const status of [201, 200, 400, 500]) record(outcome, { status, head: `HTTP/1.1 ${status}`, body: 'x', ...at })
    assert.deepEqual([outcome.wrong, outcome.serverErrors, outcome.sids], [4, 1, []])
    assert.equal(outcome.firstWrong, 'HTTP/1.1 201 x')
    assert.equal(quantile(outcome.servedMs, 0.99), undefined)
  })

  it('503 and 429 are refusals as promised only as whole problems that say when to come again', () => {
    const with429 = { ...refusal, status: 429, body: JSON.stringify({ ...PROBLEM, Status: 429 }) }
    for (const each of [refusal, with429]) assert.equal(isPromisedRefusal(each), true)
    for (const broken of [
      { ...refusal, head: HEAD.replace(/\r\nretry-after.*/, '') },
      { ...refusal, head: HEAD.replace('retry-after: 5', 'retry-after: 0') },
      { ...refusal, head: HEAD.replace('problem+json', 'json') },
      { ...refusal, status: 429 }, // the problem says another status
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

  it('an answer that nobody asked for is wrong', () => {
    const outcome = createOutcome()
    recordUnexpected(outcome, 'HTTP/1.1 201')
    assert.deepEqual([outcome.wrong, outcome.sids], [1, []])
    assert.match(outcome.firstWrong, /nobody had asked for: HTTP\/1\.1 201/)
  })

  it('a quantile of nothing is none; of several clients it is that of all', () => {
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

  it('whatever went wrong at one client is in the sum', () => {
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
