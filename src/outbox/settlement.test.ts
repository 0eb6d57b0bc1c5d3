import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from './handler.ts'
import { conclude, delayAfter } from './settlement.ts'

const SCHEDULE = [60, 300]
const row = (attempts: number, extraAttempts?: number) => ({
  id: 1,
  attempts,
  lease: 'x',
  queue: 0,
  takenMs: 0,
  ...(extraAttempts !== undefined && { extraAttempts }),
})
const postponed = (retryAfterSeconds?: number): Outcome => ({
  kind: 'postponed',
  reason: 'busy',
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
})
const settled = (attempts: number, outcome: Outcome, chance = 0.5) =>
  conclude(row(attempts), outcome, SCHEDULE, chance).settlement

test('backoff: each attempt has its delay, spread by 20 % to either side, and after the last there is none', () => {
  assert.equal(delayAfter(1, SCHEDULE, 0.5), 60)
  assert.equal(delayAfter(2, SCHEDULE, 0), 240)
  assert.equal(delayAfter(2, SCHEDULE, 1), 360)
  assert.equal(delayAfter(3, SCHEDULE, 0.5), undefined)
})

test('postponed: due again by the schedule or by Retry-After, within a day', () => {
  assert.equal(settled(1, postponed()).delaySeconds, 60)
  assert.equal(settled(1, postponed(7)).delaySeconds, 7)
  assert.equal(settled(1, postponed(10_000_000)).delaySeconds, 86_400)
  assert.equal(settled(1, postponed()).estado, 'pendiente')
})

test('postponed: a receiver that asks for an earlier attempt does not lose the later ones', () => {
  assert.deepEqual([settled(1, postponed(7)).usesAttempt, settled(1, postponed(61)).usesAttempt], [false, true])
  assert.equal(settled(1, postponed(0)).delaySeconds, 1)
  assert.equal(settled(1, postponed()).usesAttempt, true)
})

test('postponed: a receiver that always asks for an attempt at once reaches the end of the schedule', () => {
  const after = (extraAttempts: number) => conclude(row(1, extraAttempts), postponed(0), SCHEDULE, 0.5).settlement
  assert.deepEqual([after(19).delaySeconds, after(19).usesAttempt], [1, false])
  assert.deepEqual([after(20).delaySeconds, after(20).usesAttempt], [60, true])
  const later = conclude(row(1, 20), postponed(90), SCHEDULE, 0.5).settlement
  assert.deepEqual([later.delaySeconds, later.usesAttempt], [90, true])
})

test('failed: when refused, or when postponed after the last attempt, whatever Retry-After says', () => {
  for (const outcome of [postponed(), postponed(5)]) {
    const ended = conclude(row(3), outcome, SCHEDULE, 0.5)
    assert.equal(ended.outcome.kind, 'failed')
    assert.deepEqual([ended.settlement.estado, ended.settlement.error], ['fallida', 'busy'])
  }
  assert.equal(settled(1, { kind: 'failed', reason: 'no' }).estado, 'fallida')
})

test('delivered, kept: for good, and without an error', () => {
  assert.equal(settled(1, { kind: 'delivered' }).estado, 'entregada')
  assert.equal(settled(9, { kind: 'stored' }).estado, 'guardada')
  assert.equal(settled(9, { kind: 'stored' }).error, null)
})

test('discarded, returned: as if it had not been claimed, for good or for now', () => {
  const discarded = settled(2, { kind: 'discarded', reason: 'off' })
  assert.deepEqual([discarded.estado, discarded.usesAttempt, discarded.error], ['descartada', false, 'off'])
  const returned = settled(2, { kind: 'returned' })
  assert.deepEqual([returned.estado, returned.usesAttempt, returned.delaySeconds], ['pendiente', false, null])
})

test('an error is stored in a form that PostgreSQL accepts', () => {
  const { error } = settled(1, { kind: 'failed', reason: `a\u0000b\r\n${'x'.repeat(9_999)}` })
  assert.equal(error?.slice(0, 5), 'a b x')
  assert.equal(error?.length, 500)
})
