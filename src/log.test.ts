import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { until } from '../tests/support/until.ts'
import { LOG_OPTIONS, logDestination } from './log.ts'

describe('log', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rodado-log-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('writes buffered lines after a moment', async () => {
    const path = join(folder, 'soon')
    const stream = logDestination(openSync(path, 'w'))
    const log = pino(LOG_OPTIONS, stream)
    log.info({ route: '/v3/colores' }, 'request')
    await until(() => readFileSync(path, 'utf8').endsWith('\n'))
    const { time, ...line } = JSON.parse(readFileSync(path, 'utf8'))
    assert.deepEqual(line, { level: 30, route: '/v3/colores', msg: 'request' })
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    await close(stream)
  })

  it('a full disk loses lines, and neither crashes the process nor holds up its end', async () => {
    const stream = logDestination(openSync('/dev/full', 'w'))
    const log = pino(LOG_OPTIONS, stream)
    log.info('lost')
    await new Promise<void>((resolve) => log.flush(() => resolve()))
    stream.flushSync()
    await close(stream)
  })
})

/** The stream closes its file. One that lives on writes the unsent line to the next file or socket of that number. */
async function close(stream: ReturnType<typeof logDestination>): Promise<void> {
  stream.destroy()
  await once(stream, 'close')
}
