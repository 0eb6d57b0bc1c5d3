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
import { defineCommand, subcommands, TEXT } from './command.ts'
import { create } from './user/create.ts'
import { NO_APP, withStore } from './with-store.ts'

/** The marketplace's staff and partners' developers. */
export const run = subcommands('user', {
  create,

  list: defineCommand('', {}, async (_values, { config }) => {
    const everyone = await withStore(config, ({ store }) => listStaffAndDevelopers(store))
    const width = Math.max(0, ...everyone.map(({ email }) => email.length))
    const lines = everyone.map((person) => `${person.email.padEnd(width)}  ${describeRoles(person)}\n`)
    const text = lines.join('') || 'There are no accounts yet. Create one: npx rodado user create --email MAIL\n'
    return { json: everyone.map(describe), text }
  }),

  'reset-totp': defineCommand('MAIL', {}, async (_values, { config }, mail) => {
    const email = mail.trim().toLowerCase()
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
    const text = `${email} sets the second factor up again at the next sign-in; open sessions have ended.\n`
    return { json: { Email: email, SegundoPaso: false }, text }
  }),

  remove: defineCommand('MAIL', { app: TEXT }, async (values, { config }, mail) => {
    const [email, app] = [mail.trim().toLowerCase(), values.app?.toLowerCase()]
    await withStore(config, ({ store }) =>
      store.transaction((tx) => (app ? leaveApp(tx, email, app) : leaveStaff(tx, email))),
    )
    const former = app ? 'a member of that team' : 'a staff member'
    const text = `${email} is no longer ${former}; open sessions have ended.\n`
    return { json: { Email: email, ...(app && { AppKey: app }) }, text }
  }),
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
  const app = await findApp(tx, appKey)
  if (!app) throw new Error(NO_APP)
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
