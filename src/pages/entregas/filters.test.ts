import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { asLocal, firstInstant, instantAfter } from './filters.tsx'

const HERE = 'America/Argentina/Buenos_Aires'
const SHIFTS = 'America/New_York' // clocks go forward on 2026-03-08 and back on 2026-11-01

const iso = (instant: number | undefined) => (instant === undefined ? undefined : new Date(instant).toISOString())

describe('the period of a search', () => {
  it('a day, a minute and a second are each meant whole, in the marketplace’s zone', () => {
    const wholes: [text: string, first: string, after: string][] = [
      ['2026-03-14', '2026-03-14T03:00:00.000Z', '2026-03-15T03:00:00.000Z'],
      ['2026-03-14T09:30', '2026-03-14T12:30:00.000Z', '2026-03-14T12:31:00.000Z'],
      ['2026-03-14T09:30:07', '2026-03-14T12:30:07.000Z', '2026-03-14T12:30:08.000Z'],
    ]
    for (const [text, first, after] of wholes)
      assert.deepEqual([iso(firstInstant(text, HERE)), iso(instantAfter(text, HERE))], [first, after], text)
  })

  it('where clocks shift, a time is the one that they showed', () => {
    assert.equal(iso(firstInstant('2026-03-08T01:30', SHIFTS)), '2026-03-08T06:30:00.000Z')
    assert.equal(iso(firstInstant('2026-03-08T03:30', SHIFTS)), '2026-03-08T07:30:00.000Z')
    assert.equal(iso(firstInstant('2026-11-01T12:00', SHIFTS)), '2026-11-01T17:00:00.000Z')
    assert.equal(iso(instantAfter('2026-03-08', SHIFTS)), '2026-03-09T04:00:00.000Z')
  })

  it('what is no moment is none', () => {
    for (const text of [
      '',
      'ayer',
      '2026-02-30',
      '2026-13-01T10:00',
      '2026-03-14T24:00',
      '2026-03-14T09:61',
      '2026-03-14T9:30',
    ])
      assert.equal(firstInstant(text, HERE), undefined, text)
    assert.equal(firstInstant('2026-03-14T09:30:61', HERE), undefined)
  })

  it('a moment as a form has it leads back to its second', () => {
    for (const zone of [HERE, SHIFTS]) {
      const moment = new Date('2026-07-01T12:34:56.789Z')
      assert.equal(firstInstant(asLocal(moment, zone), zone), Date.parse('2026-07-01T12:34:56Z'))
    }
  })
})
