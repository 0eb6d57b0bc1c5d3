import { availableParallelism } from 'node:os'
import sql from 'sql-template-tag'
import { loadCatalogue } from '../catalogue/load.ts'
import { checkSmtp } from '../mail/smtp.ts'
import { sharedDataWarning } from '../store/embedded/start.ts'
import { type TaskStatus, taskStatuses } from '../tasks.ts'
import { defineCommand, type Io } from './command.ts'
import { withStore } from './with-store.ts'

/** Checks everything a server needs, and says how to fix what is wrong. */
export const run = defineCommand('', {}, async ({ json }, io) => {
  const findings: { check: string; ok: boolean; detail: string }[] = []
  for (const [check, look] of Object.entries(CHECKS)) {
    const finding = await look(io).then(
      (detail) => ({ check, ok: true, detail }),
      (error: Error) => ({ check, ok: false, detail: error.message }),
    )
    findings.push(finding)
    if (!json) io.out.write(`${finding.ok ? '✓' : '✗'} ${check.padEnd(14)} ${finding.detail}\n`)
  }
  return { json: findings, text: '', code: findings.every(({ ok }) => ok) ? 0 : 1 }
})

const CHECKS: Record<string, (io: Io) => Promise<string>> = {
  node: async () => `${process.version} on ${process.platform}-${process.arch}, ${availableParallelism()} cores`,

  configuration: async ({ config }) =>
    `public address ${config.publicUrl}, country ${config.country}, ${config.timeZone}`,

  async catalogue({ config }) {
    const { regiones, ciudades, marcas } = loadCatalogue(config.country, config.catalogueDir)
    return `${regiones.length} regions, ${ciudades.length} cities, ${marcas.length} makes`
  },

  store: ({ config }) =>
    withStore(config, async ({ store }) => {
      const [row] = await store.query<{ version: string; apps: number }>(sql`
        select current_setting('server_version') as version, (select count(*) from apps) as apps`)
      const warning = config.databaseUrl ? undefined : await sharedDataWarning(config.dataDir)
      if (warning) throw new Error(warning)
      return `PostgreSQL ${row?.version}, ${config.databaseUrl ? 'yours' : `embedded in ${config.dataDir}`}, ${row?.apps} apps`
    }),

  tasks: ({ config }) =>
    withStore(config, async ({ store }) => {
      const tasks = await taskStatuses(store)
      const stopped = tasks.filter(({ state }) => state !== 'ok')
      const since = ({ lastSuccess }: TaskStatus) => `last success ${lastSuccess?.toISOString() ?? 'never'}`
      if (stopped.length > 0)
        throw new Error(
          stopped.map((each) => `${each.name} is ${each.state}, ${since(each)}: ${each.error ?? 'no run'}`).join('; '),
        )
      return tasks.length === 0 ? 'none has run: no worker was started yet' : `all ${tasks.length} have run in time`
    }),

  async server({ config: { publicUrl } }) {
    const signal = AbortSignal.timeout(5_000)
    const response = await fetch(new URL('/health/ready', publicUrl), { signal }).catch(() => undefined)
    if (!response) throw new Error(`nothing answers at ${publicUrl}. Start it with \`npm start\`, or set PUBLIC_URL.`)
    if (!response.ok) throw new Error(`${publicUrl}/health/ready answers ${response.status}.`)
    return `ready at ${publicUrl}`
  },

  async mail({ config }) {
    if (!config.smtpUrl) return 'no SMTP_URL: emails are stored, not sent'
    await checkSmtp(config.smtpUrl)
    return 'the mail server of SMTP_URL accepts our connection'
  },
}
