import type { Account } from '../accounts/account.ts'
import { audit } from '../accounts/audit.ts'
import { endLinks } from '../accounts/links.ts'
import { leaveTeam, withdrawMember } from '../accounts/members.ts'
import { resetSecondFactor } from '../accounts/second-factor.ts'
import {
  listStaff,
  listStaffAndDevelopers,
  removeStaff,
  type StaffMember,
  type StaffOrDeveloper,
} from '../accounts/staff.ts'
import { endSessions, findAccount } from '../accounts/store.ts'
import { findApp } from '../apps/store.ts'
import { enqueueEmail } from '../mail/email.ts'
import { secondFactorEmail } from '../mail/emails.ts'
import { supportOf } from '../resources/agencias/context.ts'
import type { Db } from '../store/db.ts'
import { parse, parseOptions, printJson, subcommands, UsageError } from './command.ts'
import { createUser } from './user/create.ts'
import { withStore } from './with-store.ts'

const USAGE = `Usage:
  rodado user create --email MAIL [--nombre NAME] [--apellido NAME] [--clave -] [--json]
      a staff member; --clave - reads a password, otherwise a link to choose one is printed
  rodado user create --email MAIL --app APPKEY [--rol titular|desarrollador] …
      a developer of an app instead, for its portal
  rodado user list [--json]
  rodado user reset-totp MAIL [--json]             the second factor is set up again at the next sign-in
  rodado user remove MAIL [--app APPKEY] [--json]  from the staff, or from an app's team; sessions end at once`

/** The marketplace's staff and partners' developers. */
export const command = subcommands('user', USAGE, {
  create: createUser,

  async list(argv, { config, out }) {
    const values = parseOptions(argv, {})
    const everyone = await withStore(config, ({ store }) => listStaffAndDevelopers(store))
    if (values.json) return printJson(out, everyone.map(describe))
    if (everyone.length === 0) out.write('There are no accounts yet. Create one: npx rodado user create --email MAIL\n')
    const width = Math.max(0, ...everyone.map(({ email }) => email.length))
    for (const person of everyone) out.write(`${person.email.padEnd(width)}  ${describeRoles(person)}\n`)
  },

  async 'reset-totp'(argv, { config, out }) {
    const { values, positionals } = parse(argv, {})
    const email = mailOf(positionals)
    await withStore(config, ({ store, seal }) =>
      store.transaction(async (tx) => {
        const account = await staffOf(tx, email)
        if (!(await resetSecondFactor(tx, account.id)))
          throw new Error(`${email} has no second factor set up: the next sign-in asks for it.`)
        await note(tx, 'segundo-paso.reiniciar', account)
        const about = {
          hecho: 'reiniciado',
          claveUrl: `${config.publicUrl}/clave`,
          support: supportOf(config),
        } as const
        await enqueueEmail(tx, seal, secondFactorEmail({ to: email, nombre: account.nombre, ...about }))
      }),
    )
    if (values.json) return printJson(out, { Email: email, SegundoPaso: false })
    out.write(`${email} sets the second factor up again at the next sign-in; open sessions have ended.\n`)
  },

  async remove(argv, { config, out }) {
    const { values, positionals } = parse(argv, { app: { type: 'string' } })
    const email = mailOf(positionals)
    await withStore(config, ({ store }) =>
      store.transaction((tx) => (values.app ? leaveApp(tx, email, values.app) : leaveStaff(tx, email))),
    )
    if (values.json) return printJson(out, { Email: email, ...(values.app && { AppKey: values.app.toLowerCase() }) })
    out.write(
      `${email} is no longer ${values.app ? 'a member of that team' : 'a staff member'}; open sessions have ended.\n`,
    )
  },
})

/** Removes a staff member; a pending invitation ends too. */
async function leaveStaff(tx: Db, email: string): Promise<void> {
  const account = await findAccount(tx, 'produccion', email)
  const asked = (await listStaffAndDevelopers(tx)).some((each) => each.id === account?.id && each.invited)
  if (!account || (!account.staff && !asked)) throw new Error(`${email} is not a staff member.`)
  await endLinks(tx, { accountId: account.id, purpose: 'personal' })
  if (account.staff && !(await removeStaff(tx, account.id)))
    throw new Error(`${email} is the last staff member. Create another one first.`)
  await note(tx, 'personal.quitar', account)
}

/** Removes a member of an app's team; a pending invitation ends too. */
async function leaveApp(tx: Db, email: string, appKey: string): Promise<void> {
  const app = await findApp(tx, appKey.toLowerCase())
  if (!app) throw new Error('there is no app with that AppKey. `rodado app list` shows them all.')
  const account = await findAccount(tx, 'produccion', email)
  const outcome = account ? await leaveTeam(tx, app.id, account.id) : 'gone'
  if (outcome === 'last')
    throw new Error(`${email} is the only titular of ${app.nombre}. Make somebody else titular first.`)
  if (!account || (outcome === 'gone' && !(await withdrawMember(tx, app.id, account.id))))
    throw new Error(`${email} is not a member of ${app.nombre}'s team.`)
  await endSessions(tx, account.id)
  await note(tx, 'equipo.quitar', account, { app: app.appKey })
}

async function staffOf(db: Db, email: string): Promise<StaffMember> {
  const found = (await listStaff(db)).find((each) => each.email === email)
  if (!found) throw new Error(`${email} is not a staff member. \`rodado user list\` shows who is.`)
  return found
}

const note = (db: Db, act: string, { id }: Pick<Account, 'id'>, detail?: Record<string, unknown>) =>
  audit(db, { accountId: null, via: 'comando', act, subject: `cuenta ${id}`, ...(detail && { detail }) })

function mailOf([email, ...more]: string[]): string {
  if (!email || more.length > 0) throw new UsageError('give one mail.')
  return email.trim().toLowerCase()
}

const describe = ({ email, nombre, apellido, staff, secured, invited, hasPassword, apps }: StaffOrDeveloper) => ({
  Email: email,
  Nombre: nombre,
  Apellido: apellido,
  Personal: staff,
  SegundoPaso: secured,
  Estado: invited || !hasPassword ? 'invitado' : 'activo',
  Apps: apps.map(({ appKey, rol }) => ({ AppKey: appKey, Rol: rol })),
})

const describeRoles = ({ staff, secured, invited, apps }: StaffOrDeveloper): string =>
  [
    staff && (secured ? 'staff' : 'staff, second factor not set up'),
    invited && 'staff, invited',
    ...apps.map(({ appKey, rol }) => `${rol} of ${appKey}`),
  ]
    .filter(Boolean)
    .join('; ')
