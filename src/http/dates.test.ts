import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addDays, dayOf, isDay, momentAt, startOfDay, toTimestamp } from './dates.ts'

const BUENOS_AIRES = 'America/Argentina/Buenos_Aires'
const SANTIAGO = 'America/Santiago' // has summer time, which begins at midnight

describe('dates', () => {
  it('timestamps carry the offset of the zone at that moment', () => {
    assert.equal(toTimestamp(new Date('2025-03-04T12:00:00.123Z'), BUENOS_AIRES), '2025-03-04T09:00:00.123-03:00')
    assert.equal(toTimestamp(new Date('2025-07-01T12:00:00Z'), SANTIAGO), '2025-07-01T08:00:00.000-04:00')
    assert.equal(toTimestamp(new Date('2025-01-01T12:00:00Z'), SANTIAGO), '2025-01-01T09:00:00.000-03:00')
    assert.equal(toTimestamp(new Date('2025-01-01T12:00:00Z'), 'Asia/Kathmandu'), '2025-01-01T17:45:00.000+05:45')
    assert.equal(toTimestamp(new Date('2025-01-01T12:00:00Z'), 'UTC'), '2025-01-01T12:00:00.000+00:00')
  })

  it('a local time is a moment of the zone; an hour that clocks skip is none', () => {
    assert.equal(momentAt('2026-11-19T10:30', BUENOS_AIRES)?.toISOString(), '2026-11-19T13:30:00.000Z')
    assert.equal(momentAt('2026-07-01T10:30', SANTIAGO)?.toISOString(), '2026-07-01T14:30:00.000Z')
    assert.equal(momentAt('2026-12-01T10:30', SANTIAGO)?.toISOString(), '2026-12-01T13:30:00.000Z')
    for (const wrong of ['2026-09-06T00:30', '2026-02-30T10:00', '2026-11-19', '2026-11-19T10:30Z', ''])
      assert.equal(momentAt(wrong, SANTIAGO), undefined, wrong)
  })

  it('today is a day of the zone, not of UTC', () => {
    assert.equal(dayOf(new Date('2025-03-05T02:59:59.999Z'), BUENOS_AIRES), '2025-03-04')
    assert.equal(dayOf(new Date('2025-03-05T03:00:00.000Z'), BUENOS_AIRES), '2025-03-05')
  })

  it('a day begins at its first instant, also where midnight does not exist', () => {
    assert.equal(startOfDay('2025-03-05', BUENOS_AIRES).toISOString(), '2025-03-05T03:00:00.000Z')
    assert.equal(toTimestamp(startOfDay('2024-09-08', SANTIAGO), SANTIAGO), '2024-09-08T01:00:00.000-03:00')
  })

  it('days are counted on the calendar', () => {
    assert.equal(addDays('2025-03-01', -1), '2025-02-28')
    assert.equal(addDays('2024-03-01', -1), '2024-02-29')
    assert.equal(addDays('2025-03-04', -90), '2024-12-04')
  })

  it('days go from the first to the last that four figures can tell, and each begins', () => {
    assert.ok(!isDay('0000-12-31'))
    for (const zone of [BUENOS_AIRES, SANTIAGO, 'UTC', 'Asia/Kathmandu', 'Pacific/Apia'])
      for (const day of ['0001-01-01', '0001-01-02', '0099-12-31', '0100-01-01', '1890-06-01', '9999-12-31'])
        assert.equal(dayOf(startOfDay(day, zone), zone), day, zone)
  })

  it('a day that is not on the calendar is none', () => {
    for (const text of ['2025-02-30', '2025-13-01', '2025-1-1', '20250101', '', '2025-01-01T00:00:00Z'])
      assert.ok(!isDay(text), text)
    assert.ok(isDay('2024-02-29'))
  })

  it('a timestamp is the same instant, and lies in the day that dayOf says, at any time in any zone', () => {
    const instants = fc.date({ min: new Date('1990-01-01'), max: new Date('2050-01-01'), noInvalidDate: true })
    const zones = fc.constantFrom(
      BUENOS_AIRES,
      SANTIAGO,
      'UTC',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'America/Mexico_City',
    )
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        assert.equal(new Date(toTimestamp(instant, zone)).getTime(), instant.getTime())
        const start = startOfDay(dayOf(instant, zone), zone).getTime()
        assert.ok(start <= instant.getTime())
        assert.ok(instant.getTime() - start < 25 * 3_600_000)
        assert.notEqual(dayOf(new Date(start - 1), zone), dayOf(instant, zone))
      }),
    )
  })
})
