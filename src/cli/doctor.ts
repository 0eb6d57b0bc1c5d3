import { availableParallelism } from 'node:os'
import { TEXT, UsageError } from '@rodado/cli'
import pino from 'pino'
import { storedBrand } from '../brand/store.ts'
import { loadCatalogue } from '../catalogue/load.ts'
import type { Config } from '../config.ts'
import { isOneAddress } from '../mail/handler.ts'
import { openStore } from '../store/db.ts'
import { explainDatabase, reachDatabase, refuseEmptyDataDir } from '../store/open.ts'
import { defineCommand } from './command.ts'
import { checkServer, DATABASE_CHECKS } from './doctor/database.ts'
import { type Checks, type Finding, fine } from './doctor/finding.ts'
import { NETWORK_CHECKS } from './doctor/network.ts'

const CONNECTIONS = 2
const MARKS = { ok: '✓', warning: '!', error: '✗' } as const

/** Checks everything that a server needs, and says how to fix what is wrong. Changes nothing. */
export const run = defineCommand('', { email: TEXT, correo: TEXT }, async ({ json, ...values }, { config, out }) => {
  const email = values.email ?? values.correo // its name in the first versions
  if (email !== undefined && !isOneAddress(email)) throw new UsageError('--email needs one email address.')
  const findings: ({ check: string; ok: boolean } & Finding)[] = []

  async function check(name: string, find: () => Promise<Finding>): Promise<boolean> {
    const found = await find().catch((error: Error): Finding => ({ status: 'error', detail: error.message }))
    const ok = found.status !== 'error'
    findings.push({ check: name, ok, ...found })
    if (json) return ok
    out.write(`${MARKS[found.status]} ${name.padEnd(14)} ${found.detail}\n`)
    if (found.remedy) out.write(`${' '.repeat(17)}→ ${found.remedy}\n`)
    return ok
  }
  const checkAll = async <Subject>(checks: Checks<Subject>, subject: Subject) => {
    for (const [name, find] of Object.entries(checks)) await check(name, () => find(subject))
  }

  await checkAll(LOCAL_CHECKS, config)
  let { brand } = config
  await withAnyDatabase(config, check, async (subject) => {
    await checkAll(DATABASE_CHECKS, subject)
    brand = await storedBrand(subject.db, config).catch(() => config.brand) // before the first migration there is none
  })
  await checkAll(NETWORK_CHECKS, { config: { ...config, brand }, email })
  return { json: findings, text: '', code: findings.every(({ ok }) => ok) ? 0 : 1 }
})

const LOCAL_CHECKS: Checks<Config> = {
  node: async () => fine(`${process.version} on ${process.platform}-${process.arch}, ${availableParallelism()} cores`),
  configuration: async ({ publicUrl, country, timeZone }) =>
    fine(`public address ${publicUrl}, country ${country}, ${timeZone}`),
  async catalogue({ country, catalogueDir }) {
    const { regiones, ciudades, marcas } = loadCatalogue(country, catalogueDir)
    return fine(`${regiones.length} regions, ${ciudades.length} cities, ${marcas.length} makes`)
  },
}

/** Reaches the database whatever its state; the rest is left out if it does not answer. */
async function withAnyDatabase(
  config: Config,
  check: (name: string, find: () => Promise<Finding>) => Promise<boolean>,
  work: (subject: Parameters<(typeof DATABASE_CHECKS)['schema']>[0]) => Promise<void>,
): Promise<void> {
  let reached: Awaited<ReturnType<typeof reachDatabase>> | undefined
  let store: ReturnType<typeof openStore> | undefined
  try {
    const answers = await check('database', async () => {
      refuseEmptyDataDir(config)
      reached = await reachDatabase(config, 'command', pino({ level: 'silent' }))
      store = openStore({ connection: reached.direct, max: CONNECTIONS, withBreaker: false, isPooled: true })
      return checkServer(store, config).catch(explainDatabase(config, reached.direct))
    })
    if (reached && store && (answers || !config.databaseUrl)) await work({ config, db: store, direct: reached.direct })
  } finally {
    await store?.close()
    await reached?.close()
  }
}
