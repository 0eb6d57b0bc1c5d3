import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { dayOf, type Period, periodOf, readPeriod, toTimestamp } from './dates.ts'

const BUENOS_AIRES = 'America/Argentina/Buenos_Aires'
const NOW = new Date('2026-03-04T12:00:00Z')

function period(query: Parameters<typeof readPeriod>[0], now = NOW, zone = BUENOS_AIRES): Period {
  const read = readPeriod(query, now, zone)
  assert.ok(!('errors' in read), JSON.stringify(read))
  return read
}

function faults(query: Parameters<typeof readPeriod>[0], now = NOW): string[] {
  const read = readPeriod(query, now, BUENOS_AIRES)
  return 'errors' in read ? Object.keys(read.errors) : []
}

const covers = ({ first, last }: Period, moment: string) =>
  Date.parse(moment) >= first.getTime() && Date.parse(moment) <= last.getTime()

describe('period', () => {
  it('without days: from today − 90 until the end of today', () => {
    const { desde, hasta, first, last } = period({})
    assert.deepEqual([desde, hasta], ['2025-12-04', '2026-03-04'])
    assert.equal(toTimestamp(first, BUENOS_AIRES), '2025-12-04T00:00:00.000-03:00')
    assert.equal(toTimestamp(last, BUENOS_AIRES), '2026-03-04T23:59:59.999-03:00')
  })

  it('one day begins at its midnight in the zone and ends a millisecond before the next', () => {
    const day = period({ desde: '2026-03-03', hasta: '2026-03-03' })
    assert.ok(!covers(day, '2026-03-03T02:59:59.999Z'))
    assert.ok(covers(day, '2026-03-03T03:00:00.000Z'))
    assert.ok(covers(day, '2026-03-04T02:59:59.999Z'))
    assert.ok(!covers(day, '2026-03-04T03:00:00.000Z'))
  })

  it('today is a day of the zone: at its midnight it is the next', () => {
    assert.equal(period({}, new Date('2026-03-05T02:59:59.999Z')).hasta, '2026-03-04')
    assert.equal(period({}, new Date('2026-03-05T03:00:00.000Z')).hasta, '2026-03-05')
    assert.equal(period({}, new Date('2026-03-05T02:59:59.999Z'), 'Pacific/Kiritimati').hasta, '2026-03-05')
  })

  it('400 on desde: earlier than today − 90; that day itself is allowed, and moves at midnight', () => {
    assert.deepEqual(faults({ desde: '2025-12-04' }), [])
    assert.deepEqual(faults({ desde: '2025-12-03' }), ['desde'])
    assert.deepEqual(faults({ desde: '2025-12-04' }, new Date('2026-03-05T03:00:00Z')), ['desde'])
    assert.deepEqual(faults({ desde: '2025-12-04' }, new Date('2026-03-05T02:59:59Z')), [])
    assert.deepEqual(faults({ desde: '0001-01-01' }), ['desde'])
  })

  it('400 on hasta: before desde, given or not; both faults are told at once', () => {
    assert.deepEqual(faults({ desde: '2026-03-02', hasta: '2026-03-01' }), ['hasta'])
    assert.deepEqual(faults({ hasta: '2025-12-03' }), ['hasta'])
    assert.deepEqual(faults({ desde: '2025-11-02', hasta: '2025-11-01' }), ['desde', 'hasta'])
    assert.deepEqual(faults({ desde: '2026-03-02', hasta: '2026-03-02' }), [])
  })

  it('hasta in the future counts as today; a period that lies there altogether is refused on hasta', () => {
    assert.equal(period({ hasta: '2026-03-05' }).hasta, '2026-03-04')
    assert.equal(period({ hasta: '9999-12-31' }).hasta, '2026-03-04')
    assert.deepEqual(faults({ desde: '2026-03-05' }), ['hasta'])
    const unsaid = readPeriod({ desde: '2026-03-05' }, NOW, BUENOS_AIRES)
    assert.match(
      'errors' in unsaid ? (unsaid.errors.hasta?.[0]?.text ?? '') : '',
      /hoy \(2026-03-04\).*anterior a desde \(2026-03-05\)/,
    )
    assert.deepEqual(faults({ desde: '2026-03-05', hasta: '2026-03-09' }), ['hasta'])
  })

  it('a day of 23 hours, one of 25 and one that never was are covered from end to end', () => {
    const hours = (day: string, zone: string) => {
      const { first, last } = periodOf(day, day, zone)
      return (last.getTime() + 1 - first.getTime()) / 3_600_000
    }
    assert.equal(hours('2024-09-08', 'America/Santiago'), 23) // begins at one
    assert.equal(hours('2025-04-05', 'America/Santiago'), 25) // has eleven at night twice
    assert.equal(hours('2025-10-05', 'Australia/Lord_Howe'), 23.5)
    assert.equal(hours('2011-12-29', 'Pacific/Apia'), 24)
    assert.equal(hours('2011-12-30', 'Pacific/Apia'), 0) // they crossed the date line
    assert.equal(hours('2011-12-31', 'Pacific/Apia'), 24)
  })

  it('whatever the zone and the moment, a period covers what falls on its days and nothing else', () => {
    const zones = [BUENOS_AIRES, 'America/Santiago', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC']
    const moment = fc.date({ min: new Date('2008-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), fc.integer({ min: -30, max: 30 }), (at, zone, hours) => {
        const day = dayOf(at, zone)
        const other = new Date(at.getTime() + hours * 3_600_000)
        assert.equal(covers(periodOf(day, day, zone), other.toISOString()), dayOf(other, zone) === day)
      }),
    )
  })
})
