import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { FLAG, isTerminal, TEXT, UsageError, untilInterrupted } from '@rodado/cli'
import Papa from 'papaparse'
import { audit, byCommand } from '../accounts/audit.ts'
import { listApps } from '../apps/store.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import { cacheMatches, createMatcher } from '../catalogue/match/matcher.ts'
import { type ImportResult, importFile } from '../transfer/import.ts'
import type { Row, TransferContext } from '../transfer/kind.ts'
import { KIND_NAMES, type KindName } from '../transfer/kinds.ts'
import { formatOf } from '../transfer/read-file.ts'
import { defineCommand, explainFullDisk, type Io, MODO, readModo } from './command.ts'
import { NO_APP, withStore } from './with-store.ts'

const OPTIONS = { modo: MODO, app: TEXT, formato: TEXT, informe: TEXT, simular: FLAG }

/** Imports a marketplace's data from a file. */
export const run = defineCommand('KIND FILE', OPTIONS, async (values, io, kind = '', file = '') => {
  if (!(KIND_NAMES as string[]).includes(kind)) throw new UsageError(`say what to import: ${KIND_NAMES.join(', ')}.`)
  if (!file) throw new UsageError('name the file: rodado import agencias agencias.csv')
  const format = values.formato ?? formatOf(file)
  if (format !== 'csv' && format !== 'ndjson')
    throw new UsageError('the file must end in .csv, .ndjson or .jsonl, or say --formato csv or ndjson.')
  const { config, out, err } = io
  const path = resolve(file)
  const reportPath = resolve(values.informe ?? `${path}.rechazadas.csv`)
  const report = openReport(reportPath)
  const signal = untilInterrupted(out)
  const began = performance.now()
  const result = await withStore(config, async ({ store }) => {
    const modo = readModo(values.modo)
    const apps = new Map((await listApps(store)).filter((app) => app.modo === modo).map((app) => [app.appKey, app]))
    const app = values.app === undefined ? undefined : apps.get(values.app)
    if (values.app !== undefined && !app) throw new Error(NO_APP)
    const matcher = cacheMatches(createMatcher(loadCatalogue(config.country, config.catalogueDir), config))
    const context: TransferContext = { store, matcher, clock: () => new Date(), config, modo, apps, app }
    const imported = await importFile(context, {
      kind: kind as KindName,
      path,
      format,
      simulate: values.simular ?? false,
      signal,
      onProgress: showImport(err, values.json),
      onRejected: (rows, continued) => report.write(rows, continued),
      onUnavailable: (error) => err.write(`\nThe database does not answer (${error.message}); trying again.\n`),
    })
    if (imported.created > 0 && !values.simular)
      await audit(store, byCommand('datos.importar', kind, { cantidad: imported.created, modo }))
    return imported
  })
    .catch(explainFullDisk(reportPath))
    .finally(() => report.close())
  const seconds = (performance.now() - began) / 1000
  const interrupted = signal.aborted
  const shown = { ...result, simulated: values.simular ?? false, interrupted, seconds, report: report.path() }
  return { json: shown, text: describe(shown), code: result.rejected > 0 || interrupted ? 1 : 0 }
})

const PRIVATE_FILE = 0o600
const COLUMNS = ['Fila', 'Campo', 'Codigo', 'Error', 'Sugerencias']

/** Created with the first rejected row. It quotes no value, but names rows that hold personal data. */
function openReport(path: string) {
  let file: FileHandle | undefined
  return {
    async write(rows: Row<unknown>[], continued: boolean): Promise<void> {
      if (!file) {
        file = await open(path, continued ? 'a' : 'w', PRIVATE_FILE)
        await file.chmod(PRIVATE_FILE) // it may have been there
        if (!continued) await file.appendFile(`\uFEFF${Papa.unparse([COLUMNS])}\r\n`)
      }
      await file.appendFile(`${Papa.unparse(rows.flatMap(linesOf), { escapeFormulae: true })}\r\n`)
    },
    close: async () => file?.close(),
    path: () => (file ? path : null),
  }
}

const linesOf = ({ fila, faults }: Row<unknown>): string[][] =>
  Object.entries(faults.errors).flatMap(([member, reasons]) =>
    reasons.map(({ code, text }) => {
      const near = faults.candidates.filter(({ Campo }) => Campo === member).map(({ title }) => title)
      return [String(fila), member, code, text, near.join(' | ')]
    }),
  )

const REDRAW_MS = 200

function showImport(err: Io['err'], quiet = false): (progress: ImportResult) => void {
  if (quiet || !isTerminal(err)) return () => undefined
  const began = performance.now()
  let drawn = Number.NEGATIVE_INFINITY
  return ({ rows, resumedAfter, created, existing, rejected }) => {
    const now = performance.now()
    if (now - drawn < REDRAW_MS) return
    drawn = now
    const rate = Math.round(((rows - resumedAfter) / (now - began)) * 1000)
    err.write(`\r\x1b[K  ${rows} rows, ${rate} a second: ${created} new, ${existing} existing, ${rejected} rejected`)
  }
}

interface Shown extends ImportResult {
  simulated: boolean
  interrupted: boolean
  seconds: number
  report: string | null
}

function describe({ rows, created, existing, rejected, resumedAfter, ...more }: Shown): string {
  const rate = Math.round((rows - resumedAfter) / Math.max(more.seconds, 0.001))
  const lines = [
    `${more.simulated ? 'Simulated, nothing was written: ' : ''}${rows} rows in ${more.seconds.toFixed(1)} s (${rate} a second)`,
    `  new ${created}, existing and unchanged ${existing}, rejected ${rejected}`,
    ...(resumedAfter > 0 ? [`  ${resumedAfter} rows were done by an interrupted import of this file`] : []),
    ...(more.interrupted ? ['  interrupted: run the same command again to continue'] : []),
    ...(more.report ? [`  what was rejected, and why: ${more.report}`] : []),
  ]
  return `\n${lines.join('\n')}\n`
}
