import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { pino } from 'pino'
import { logForm } from '../log.ts'
import { logAnswers } from './log.ts'

const NOW = Date.parse('2026-03-04T12:00:00.500Z')
const ANSWERED = { id: 'b6f0', method: 'GET', route: { url: '/v3/colores', method: 'GET' }, status: 200, ms: 1.2345 }

describe('the line of an answer', () => {
  function writing(level = 'info') {
    const lines: string[] = []
    const log = pino({ ...logForm(() => NOW), level }, { write: (line: string) => void lines.push(line) })
    return { log, lines, note: logAnswers(log) }
  }

  it('is the one that pino would write, for an app, a site, nobody, and no route', () => {
    const { log, lines, note } = writing()
    for (const { app, sitio, route } of [
      { app: 'a1b2', sitio: undefined, route: ANSWERED.route },
      { app: undefined, sitio: 7, route: ANSWERED.route },
      { app: undefined, sitio: undefined, route: {} },
    ]) {
      note({ ...ANSWERED, route, app, sitio })
      const url = 'url' in route ? route.url : 'none'
      log.info({ method: 'GET', route: url, reqId: 'b6f0', status: 200, ms: 1.23, app, sitio }, 'request')
      assert.equal(lines.at(-2), lines.at(-1))
    }
    assert.equal(lines.length, 6)
  })

  it('tells the time as a Date would, whatever it was before', () => {
    let now = 0
    const { timestamp } = logForm(() => now) as { timestamp(): string }
    assert.equal(timestamp(), ',"time":"1970-01-01T00:00:00.000Z"')
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 4e12 }), fc.nat(2_000), (moment, later) => {
        for (now of [moment, moment, moment + later])
          assert.equal(timestamp(), `,"time":"${new Date(now).toISOString()}"`)
      }),
    )
  })

  it('warns of what was our fault, and is left out below the level', () => {
    const { lines, note } = writing('warn')
    note({ ...ANSWERED, app: undefined, sitio: undefined })
    assert.equal(lines.length, 0)
    note({ ...ANSWERED, status: 503, app: undefined, sitio: undefined })
    assert.deepEqual([JSON.parse(lines[0] ?? '').level, JSON.parse(lines[0] ?? '').status], [40, 503])
  })

  it('names a method as it came', () => {
    const { lines, note } = writing()
    note({ ...ANSWERED, method: 'M-"SEARCH', app: undefined, sitio: undefined })
    assert.equal(JSON.parse(lines[0] ?? '').method, 'M-"SEARCH')
  })
})
