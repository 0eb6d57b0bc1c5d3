import { FLAG, isTerminal, UsageError, untilInterrupted } from '@rodado/cli'
import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Opened } from '../store/open.ts'
import { defineCommand, type Io } from './command.ts'
import { fillDemo, type OnProgress } from './demo/fill.ts'
import { keepMoving } from './demo/live.ts'
import { type DemoRecord, findDemo, lockDemo, removeDemo } from './demo/record.ts'
import { type Access, renewAccess } from './demo/teams.ts'
import { withStore } from './with-store.ts'

const OPTIONS = { borrar: FLAG, si: FLAG, vivo: FLAG }

/** Adds sample data, or removes it. */
export const run = defineCommand('', OPTIONS, async ({ borrar, si, vivo }, io) => {
  if (borrar && vivo) throw new UsageError('--borrar and --vivo do not go together.')
  const { config } = io
  if (borrar) return remove(io)
  return withStore(config, async (opened) => {
    const { store } = opened
    const found = await findDemo(store)
    if (!found && !si) await refuseMarket(store, config.publicUrl)
    const made = found ? undefined : await fillDemo(opened, config, progressOn(io.err))
    if (vivo) {
      if (made) io.err.write(`${summaryOf(made)}\n${signIn(made.access, io)}\n`)
      return live(opened, io)
    }
    const access = made?.access ?? (await renewAccess(opened, found as DemoRecord))
    const summary = made ? summaryOf(made) : 'The demo data is already in this database.'
    return { json: describe(access, io), text: `${summary}\n${signIn(access, io)}` }
  })
})

type Made = Awaited<ReturnType<typeof fillDemo>>

const summaryOf = ({ access, publicaciones, consultas, entregas }: Made): string =>
  `${access.agencias.length} agencies, ${publicaciones} listings; three months with ${consultas} inquiries and ${entregas} deliveries`

/** Runs until Ctrl-C. */
async function live(opened: Opened, { config, out, err }: Io): Promise<number> {
  const demo = await findDemo(opened.store)
  if (!demo) throw new Error('The demo data was removed.')
  err.write('Inquiries arrive and are delivered until Ctrl-C …\n')
  const clock = new Intl.DateTimeFormat('es', { timeStyle: 'medium', timeZone: config.timeZone })
  const say = (line: string) => void out.write(`${clock.format(new Date())}  ${line}\n`)
  await keepMoving(opened, { config, demo, say, signal: untilInterrupted(out) })
  return 0
}

const remove = ({ config }: Io) =>
  withStore(config, async ({ store }) => {
    const demo = await store.transaction(async (tx) => {
      await lockDemo(tx)
      return removeDemo(tx)
    })
    const text = demo
      ? `The demo data was removed: ${demo.apps.length} apps, ${demo.agencias.length} agencies and everything that belongs to them.\n`
      : 'There is no demo data in this database.\n'
    return { json: { Agencias: demo?.agencias.length ?? 0, Apps: demo?.apps.length ?? 0 }, text }
  })

/** A database with this many agencies is in use, not an experiment. */
const MANY_AGENCIES = 20

/** Refuses somebody's real market: agencies behind an https address, or many of them. Apps, staff and sandboxes do not count. */
async function refuseMarket(db: Db, publicUrl: string): Promise<void> {
  const count = await db.count(sql`select count(*) from agencias where modo = 'produccion'`)
  if (count === 0 || (count < MANY_AGENCIES && !publicUrl.startsWith('https:'))) return
  throw new Error(
    `this looks like a market in production: ${publicUrl} with ${count} ${count === 1 ? 'agency' : 'agencies'}. To add the ` +
      'demo data anyway, add --si; `rodado demo --borrar` removes it again.',
  )
}

/** A progress line, on a terminal only. */
function progressOn(err: NodeJS.WritableStream): OnProgress {
  if (!isTerminal(err)) return () => undefined
  return (text) => void err.write(text ? `\r\x1b[K  ${text} …` : '\r\x1b[K')
}

const describe = ({ appKey, secret, sitioKey, agencias, staff, developer, password }: Access, { config }: Io) => ({
  AppKey: appKey,
  AppSecret: secret,
  SitioKey: sitioKey,
  Agencias: agencias,
  Console: { url: `${config.publicUrl}/consola`, email: staff, password },
  Portal: { url: `${config.publicUrl}/portal`, email: developer, password },
  Cuenta: { url: `${config.publicUrl}/entrar`, email: agencias[0], password },
})

function signIn({ appKey, secret, sitioKey, agencias, staff, developer, password }: Access, { config }: Io): string {
  return `
Sign in at ${config.publicUrl}/entrar with the password ${password}

  ${developer.padEnd(MAIL_COLUMNS)} the portal of an app
  ${(agencias[0] ?? '').padEnd(MAIL_COLUMNS)} an agency, the busiest of ${agencias.length}
  ${staff.padEnd(MAIL_COLUMNS)} the console; the first sign-in sets up a second factor

  AppKey     ${appKey}
  AppSecret  ${secret}
  SitioKey   ${sitioKey}

They are shown only now; \`rodado demo\` again prints the keys with a new password and SitioKey. \`rodado demo --borrar\` removes everything.
`
}

const MAIL_COLUMNS = 50
