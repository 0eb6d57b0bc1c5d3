import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { formatDay, formatMoment, Moment, shortDay, shortTime } from './format.tsx'

const ZONES = ['America/Argentina/Buenos_Aires', 'Europe/Madrid', 'Asia/Kathmandu', 'Pacific/Apia']
/** Every 7 h 11 min of three years: each hour, month and change of the clocks is met. */
const MOMENTS = Array.from({ length: 3_600 }, (_, turn) => new Date(Date.UTC(2024, 0, 1) + turn * 431 * 60_000))

test('200: days and times are written as Intl writes them in Argentina, in any zone', () => {
  for (const timeZone of ZONES) {
    const by = (form: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('es-AR', { timeZone, ...form })
    const [day, short] = [
      by({ day: 'numeric', month: 'long', year: 'numeric' }),
      by({ day: 'numeric', month: 'numeric' }),
    ]
    const time = by({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
    for (const moment of MOMENTS) {
      assert.equal(formatDay(moment, timeZone), day.format(moment))
      assert.equal(shortDay(moment, timeZone), short.format(moment))
      assert.equal(shortTime(moment, timeZone), time.format(moment))
    }
  }
})

test('200: a moment is written by the calendar of the zone: today, yesterday, this year, another', () => {
  const [timeZone, now] = ['America/Argentina/Buenos_Aires', new Date('2026-01-02T01:30:00Z')] // still the first there
  const format = (moment: string) => formatMoment(new Date(moment), now, timeZone)
  assert.equal(format('2026-01-01T03:00:00Z'), 'hoy, 00:00')
  assert.equal(format('2026-01-01T02:59:00Z'), 'ayer, 23:59')
  assert.equal(format('2025-12-30T12:05:00Z'), '30 de diciembre de 2025, 09:05')
  assert.equal(format('2026-01-02T03:00:00Z'), '2 de enero, 00:00')
  assert.equal(formatMoment(new Date('2025-12-30T12:05:00Z'), now, timeZone, true), '30 de dic de 2025, 09:05')
})

test('200: a moment has the exact local time in its tooltip, and UTC for programs', () => {
  const when = { now: new Date('2026-06-30T12:00:00Z'), timeZone: 'Europe/Madrid' }
  assert.equal(
    renderToString(h(Moment, { at: new Date('2026-06-29T22:05:09.123Z'), when, short: true })),
    '<time datetime="2026-06-29T22:05:09.123Z" title="2026-06-30 00:05:09 +02:00" data-paper="30 de junio de 2026, 00:05"><span class="relative">hoy, 00:05</span></time>',
  )
})
