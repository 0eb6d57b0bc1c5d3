import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ulid } from '../../ulid.ts'
import { summarize } from './response-times.ts'
import { createRotation, type Sharer } from './rotation.ts'

const people = (counts: Record<string, number>, near: Record<string, number> = {}): Sharer[] =>
  Object.entries(counts).map(([email, today]) => ({ email, today, near: near[email] ?? 0 }))

test('takes turns also where nothing is committed yet, and begins each day with another', () => {
  const nextOperador = createRotation()
  const nobodyHasAny = people({ ana: 0, beto: 0, caro: 0 })
  const day = (date: string, times: number) =>
    Array.from({ length: times }, () => nextOperador(1, date, nobodyHasAny) ?? '')
  const [first, second] = [day('2026-11-18', 7), day('2026-11-19', 1)]
  for (const email of ['ana', 'beto', 'caro']) assert.ok(first.filter((each) => each === email).length >= 2, email)
  assert.deepEqual(first.slice(0, 3), first.slice(3, 6))
  assert.notEqual(first[0], second[0])
  assert.equal(nextOperador(1, '2026-11-19', []), undefined)
})

test('gives to who has fewest as other processes counted, and to the nearest branch first', () => {
  const nextOperador = createRotation()
  assert.equal(nextOperador(1, '2026-11-18', people({ ana: 5, beto: 1, caro: 9 })), 'beto')
  assert.equal(nextOperador(2, '2026-11-18', people({ ana: 5, beto: 1, caro: 9 }, { caro: 2, ana: 1 })), 'caro')
})

test('response times: median of the answered, share within the target, by day; who still has time is not counted', () => {
  const now = new Date('2026-11-18T15:00:00Z')
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const row = (received: number, answered: number | null) => ({
    sid: ulid(minutesAgo(received).getTime()),
    answeredAt: answered === null ? null : minutesAgo(answered),
  })
  const answers = [row(300, 290), row(300, 270), row(300, 60), row(200, null), row(10, null)]
  const given = { objetivoMinutos: 60, now, timeZone: 'America/Argentina/Buenos_Aires' }
  const period = { desde: '2026-11-17', hasta: '2026-11-18' }
  assert.deepEqual(summarize(answers, { ...given, period }), {
    days: [
      { dia: '2026-11-17', inTime: 0, late: 0, unanswered: 0 },
      { dia: '2026-11-18', inTime: 2, late: 1, unanswered: 1 },
    ],
    medianMinutes: 30,
    inTime: 2,
    total: 4,
  })
  assert.equal(summarize([], { ...given, period }).medianMinutes, null)
})
