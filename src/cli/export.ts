import { resolve } from 'node:path'
import { TEXT, UsageError, untilInterrupted } from '@rodado/cli'
import { findAgenciaByMail } from '../resources/agencias/read.ts'
import { exportAll } from '../transfer/export.ts'
import { defineCommand, explainFullDisk, MODO, readModo, showProgress } from './command.ts'
import { withStore } from './with-store.ts'

const OPTIONS = { modo: MODO, agencia: TEXT, formato: { type: 'string', default: 'csv' } } as const

/** Exports everything of one agency, or of all. */
export const run = defineCommand('[FOLDER]', OPTIONS, async (values, { config, out, err }, given = 'export') => {
  const { formato: format } = values
  if (format !== 'csv' && format !== 'ndjson') throw new UsageError('--formato must be csv or ndjson.')
  const modo = readModo(values.modo)
  const folder = resolve(given)
  const counts = await withStore(config, async ({ store }) => {
    const agencia = values.agencia === undefined ? undefined : await findAgenciaByMail(store, modo, values.agencia)
    if (values.agencia !== undefined && !agencia) throw new Error(`there is no agency ${values.agencia} in ${modo}.`)
    const options = { folder, format, modo, agenciaId: agencia?.id, timeZone: config.timeZone } as const
    const onProgress = showProgress(err, values.json)
    return exportAll(store, { ...options, onProgress, signal: untilInterrupted(out) }).catch(explainFullDisk(folder))
  })
  const rows = Object.entries(counts).map(([kind, count]) => `  ${kind.padEnd(15)} ${count}`)
  return { json: { folder, ...counts }, text: `${folder}:\n${rows.join('\n')}\nThe files hold personal data.\n` }
})
