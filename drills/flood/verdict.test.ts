import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Kept, keptFaults } from './kept.ts'
import { newOutcome, type Outcome } from './outcome.ts'
import type { Behaved } from './polite.ts'
import { faultsOf, LONGEST_P99_MS, MOST_GROWTH_MIB, memoryFaults, recoveryFaults, rudeTo } from './verdict.ts'

const MEANT = { offered: 10_000, capacity: 1_000 }

/** Ten seconds of a flood as it must be: ten times the capacity, of which less than half was taken. */
function flooded(other: Partial<Outcome> = {}): Outcome {
  const sids = Array.from({ length: 4_500 }, (_, at) => `sid${at}`)
  const servedMs: number[] = []
  servedMs[900] = sids.length
  const good = { seconds: 10, sent: 100_000, sids, servedMs, refused: { 429: 95_500 } }
  return { ...newOutcome(), ...good, ...other }
}

describe('flood: what is judged of the flood', () => {
  it('what was taken soon, and refused as promised, holds', () => {
    assert.deepEqual(faultsOf(flooded(), MEANT), [])
  })

  const late: number[] = []
  late[LONGEST_P99_MS + 1] = 4_500
  const BAD: [string, Partial<Outcome>, RegExp][] = [
    ['everybody was refused', { sids: [], servedMs: [], refused: { 429: 100_000 } }, /nothing was taken/],
    ['nothing was asked and nothing answered', newOutcome(), /nothing was taken/],
    ['a handful was taken, however soon', { sids: flooded().sids.slice(0, 2_499) }, /only 2499 .* 2500 are the least/],
    ['what was taken waited', { servedMs: late }, /p99 of what was taken is 4001 ms/],
    ['an answer was wrong', { wrong: 1, firstWrong: 'HTTP/1.1 500' }, /1 answers were neither .*HTTP\/1\.1 500/],
    ['a connection broke', { broken: 3 }, /3 requests were never answered/],
    ['nobody answered', { unanswered: 2 }, /2 requests were never answered/],
    ['the clients could not ask as often', { sent: 94_000 }, /only 9400 a second could be asked for, not 10000/],
  ]
  for (const [name, other, says] of BAD)
    it(`fails where ${name}`, () => {
      assert.match(faultsOf(flooded(other), MEANT).join('\n'), says)
    })

  it('where twice as much is asked for, half as much must be taken', () => {
    const twice = { ...MEANT, offered: 20_000 }
    const taken = (count: number) => flooded({ sent: 200_000, sids: flooded().sids.slice(0, count) })
    assert.deepEqual(faultsOf(taken(1_250), twice), [])
    assert.equal(faultsOf(taken(1_249), twice).length, 1)
  })

  it('without a flood something must be taken all the same', () => {
    assert.deepEqual(faultsOf(flooded()), [])
    assert.deepEqual(faultsOf(flooded({ sids: [], servedMs: [] })), ['nothing was taken'])
  })
})

describe('flood: what is judged of whoever behaves', () => {
  const good: Behaved = { asked: 200, served: 190, refused: 10, wrong: [], p50: 20, p99: 900, locations: [] }
  const BAD: [string, Partial<Behaved>, RegExp][] = [
    ['asked nothing', { asked: 0, served: 0, p50: undefined, p99: undefined }, /asked only 0 times, not 200/],
    ['could hardly ask', { asked: 99, served: 99 }, /asked only 99 times/],
    ['was mostly refused', { served: 99, refused: 101 }, /were served 99 of 200 times/],
    ['waited', { p99: LONGEST_P99_MS + 1 }, /p99 of readers who behave is 4001 ms/],
    ['was told something wrong', { wrong: ['500 '] }, /got 1 wrong answers, first: 500/],
  ]
  it('whoever was served holds', () => assert.deepEqual(rudeTo('readers', good, 200), []))
  for (const [name, other, says] of BAD)
    it(`fails where it ${name}`, () => {
      assert.match(rudeTo('readers', { ...good, ...other }, 200).join('\n'), says)
    })
})

describe('flood: what is judged of memory', () => {
  it('what stays holds, what grows fails', () => {
    assert.deepEqual(memoryFaults(300, [310], 300 + MOST_GROWTH_MIB), [])
    assert.deepEqual(memoryFaults(300, [310], 301 + MOST_GROWTH_MIB), ['memory grew by 97 MiB'])
  })
  it('fails where it was not seen', () => {
    for (const [before, during, after] of [
      [Number.NaN, [310], 300],
      [300, [310], Number.NaN],
      [300, [], 300],
      [300, [Number.NaN], 300],
    ] as const)
      assert.deepEqual(memoryFaults(before, during, after), ['memory was not looked at'])
  })
})

describe('flood: what is judged of the time after it', () => {
  it('as much as before holds, and so does more', () =>
    assert.deepEqual([recoveryFaults(1_000, 900), recoveryFaults(1_000, 1_400)], [[], []]))
  for (const after of [0, 400, Number.NaN])
    it(`fails where only ${after} of 1,000 are taken`, () =>
      assert.match(recoveryFaults(1_000, after)[0] ?? '', /after the flood only/))
})

describe('flood: what is judged of what was kept', () => {
  const good: Kept = {
    ...{ acknowledged: 10, doubled: 0, inquiries: 10, missing: 0, untold: 0 },
    ...{ committed: 10, received: 10, lost: 0, unknown: 0, letters: 10, lettersWaiting: 5 },
  }
  it('all kept and told holds', () => assert.deepEqual(keptFaults(good), []))
  const BAD: [Partial<Kept>, RegExp][] = [
    [{ acknowledged: 0 }, /no inquiry was acknowledged/],
    [{ doubled: 1 }, /1 answers \(201\) named an inquiry that another had named/],
    [{ missing: 1 }, /1 inquiries .* not in the store/],
    [{ untold: 1 }, /no event tells/],
    [{ lost: 1 }, /never received/],
    [{ unknown: 1 }, /not in the store/],
  ]
  for (const [other, says] of BAD)
    it(`fails where ${Object.keys(other)} is ${Object.values(other)}`, () => {
      const faults = keptFaults({ ...good, ...other })
      assert.equal(faults.length, 1)
      assert.match(faults[0] ?? '', says)
    })
})
