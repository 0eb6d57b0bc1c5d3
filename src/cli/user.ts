import { isTerminal, TEXT, UsageError } from '@rodado/cli'
import { notifyOwner } from '../access/credentials.ts'
import { type Account, isMailAddress, MEMBER_ROLES, type MemberRol, NAME_CHARACTERS } from '../accounts/account.ts'
import { audit, byCommand } from '../accounts/audit.ts'
import { endLinks, newLink } from '../accounts/links.ts'
import { cancelInvite, isLastTitular, leaveTeam, lockTeam, setMember } from '../accounts/members.ts'
import { hashPassword, passwordFault } from '../accounts/password.ts'
import { resetSecondFactor } from '../accounts/second-factor.ts'
import { addStaff, listStaffAndDevelopers, lockStaff, removeStaff, type StaffOrDeveloper } from '../accounts/staff.ts'
import { createAccount, endSessions, ensureAccount, findAccount, setName } from '../accounts/store.ts'
import type { App } from '../apps/app.ts'
import { findApp } from '../apps/store.ts'
import { storedBrand } from '../brand/store.ts'
import type { Db } from '../store/db.ts'
import { defineCommand, type Io, readLine, subcommands } from './command.ts'
import { NO_APP, withStore } from './with-store.ts'

const LINK_HOURS = 72
const NAME = { type: 'string', default: '' } as const

interface Wanted {
  email: string
  nombre: string
  apellido: string
  passwordHash: string | undefined
  /** The team to join; staff where absent. */
  team: { app: App; rol: MemberRol } | undefined
}

const OPTIONS = {
  email: TEXT,
  nombre: NAME,
  apellido: NAME,
  clave: TEXT,
  app: TEXT,
  rol: TEXT,
}

/** Creates a staff member, or a member of an app's team. */
const create = defineCommand('', OPTIONS, async (values, io) => {
  const email = values.email?.trim().toLowerCase() ?? ''
  if (!isMailAddress(email)) throw new UsageError('--email is needed, and must be a mail address.')
  const nombre = values.nombre.trim()
  const apellido = values.apellido.trim()
  if (nombre.length > NAME_CHARACTERS || apellido.length > NAME_CHARACTERS)
    throw new UsageError(`--nombre and --apellido have up to ${NAME_CHARACTERS} characters.`)
  if (values.clave !== undefined && values.clave !== '-')
    throw new UsageError('--clave - reads the password from the input: an argument is seen by everyone on the machine.')
  if (values.rol !== undefined && !values.app) throw new UsageError('--rol says what somebody is to an --app.')
  const rol = MEMBER_ROLES.find((each) => each === (values.rol ?? 'desarrollador'))
  if (!rol) throw new UsageError(`--rol must be ${MEMBER_ROLES.join(' or ')}.`)
  const passwordHash = values.clave === '-' ? await chosenPassword(io, email) : undefined

  const { publicUrl } = io.config
  const link = await withStore(io.config, ({ store }) =>
    store.transaction(async (tx) => {
      const app = values.app && (await findApp(tx, values.app.toLowerCase()))
      if (values.app && !app) throw new Error(NO_APP)
      const team = app ? { app, rol } : undefined
      return make(tx, { email, nombre, apellido, passwordHash, team }, publicUrl)
    }),
  )
  const what = values.app ? `${rol} of ${values.app}` : 'of the staff'
  const text = link
    ? `${email} becomes ${what} with this link (good once, for ${LINK_HOURS} hours). Hand it over in person:\n\n  ${link}\n`
    : `${email} is ${what}. Sign in at ${publicUrl}/entrar\n`
  return { json: { Email: email, Enlace: link ?? null }, text }
})

async function chosenPassword({ input, err }: Io, email: string): Promise<string> {
  const prompts = isTerminal(input)
  if (prompts) err.write('Password: ')
  const password = await readLine(input, true)
  if (prompts) err.write('\n')
  const fault = passwordFault(password, email)
  if (fault) throw new Error(`the password is not accepted: ${fault}`)
  return hashPassword(password)
}

/** An account with a password joins at once; otherwise the person needs the link that is returned. */
async function make(tx: Db, wanted: Wanted, publicUrl: string): Promise<string | undefined> {
  const { email, nombre, apellido, passwordHash, team } = wanted
  await lockStaff(tx)
  if (team) await lockTeam(tx, team.app.id)
  const former = await findAccount(tx, 'produccion', email)
  if (former?.hasPassword && passwordHash)
    throw new Error(`${email} has an account with a password already: leave --clave out.`)
  if (former?.staff && !team) throw new Error(`${email} is already staff.`)
  const account =
    passwordHash === undefined
      ? await ensureAccount(tx, 'produccion', email)
      : await createAccount(tx, { modo: 'produccion', email, nombre, apellido, passwordHash })
  if (!account) throw new Error(`${email} was created by somebody else in the meantime.`)
  if (!account.hasPassword && nombre) await setName(tx, account.id, nombre, apellido)
  if (team && team.rol !== 'titular' && (await isLastTitular(tx, team.app.id, account.id)))
    throw new Error(
      `${email} is the only titular of ${team.app.nombre}, and somebody has to decide: make another first.`,
    )
  const detail = team && { app: team.app.appKey, rol: team.rol }
  const act = team ? 'equipo.crear' : 'personal.crear'
  await auditAccount(tx, act, account, detail)
  const about = team
    ? { purpose: 'equipo' as const, appId: team.app.id, rol: team.rol }
    : { purpose: 'personal' as const }
  await endLinks(tx, { ...about, accountId: account.id }) // an earlier link would give another role
  if (!account.hasPassword) {
    const token = await newLink(tx, { ...about, accountId: account.id, hours: LINK_HOURS })
    return `${publicUrl}/${about.purpose}/${token}`
  }
  if (team) await setMember(tx, team.app.id, account.id, team.rol)
  else await addStaff(tx, account.id)
  return undefined
}

/** The marketplace's staff and partners' developers. */
export const run = subcommands('user', {
  create,

  list: defineCommand('', {}, async (_values, { config }) => {
    const accounts = await withStore(config, ({ store }) => listStaffAndDevelopers(store))
    const width = Math.max(0, ...accounts.map(({ email }) => email.length))
    const lines = accounts.map((account) => `${account.email.padEnd(width)}  ${describeRoles(account)}\n`)
    const text = lines.join('') || 'There are no accounts yet. Create one: npx rodado user create --email MAIL\n'
    return { json: accounts.map(describe), text }
  }),

  'reset-totp': defineCommand('MAIL', {}, async (_values, { config }, mail) => {
    const email = mail.trim().toLowerCase()
    await withStore(config, ({ store, seal }) =>
      store.transaction(async (tx) => {
        const account = await findAccount(tx, 'produccion', email)
        if (!account) throw new Error(`${email} has no account.`)
        if (!(await resetSecondFactor(tx, account.id))) throw new Error(`${email} has no second factor set up.`)
        await auditAccount(tx, 'segundo-paso.reiniciar', account)
        const deps = { seal, config: { ...config, brand: await storedBrand(tx, config) } }
        await notifyOwner(tx, deps, account, { hecho: 'reiniciado' })
      }),
    )
    const text = `${email} has no second factor any more; open sessions have ended. Staff set it up at the next sign-in.\n`
    return { json: { Email: email, SegundoPaso: false }, text }
  }),

  remove: defineCommand('MAIL', { app: TEXT }, async (values, { config }, mail) => {
    const email = mail.trim().toLowerCase()
    const app = values.app?.toLowerCase()
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
  const isInvited = (await listStaffAndDevelopers(tx)).some((each) => each.id === account?.id && each.invited)
  if (!account || (!account.staff && !isInvited)) throw new Error(`${email} is not a staff member.`)
  await endLinks(tx, { accountId: account.id, purpose: 'personal' })
  if (account.staff && !(await removeStaff(tx, account.id)))
    throw new Error(`${email} is the last staff member. Create another one first.`)
  await auditAccount(tx, 'personal.quitar', account)
}

/** Removes a member of an app's team; a pending invitation ends too. */
async function leaveApp(tx: Db, email: string, appKey: string): Promise<void> {
  const app = await findApp(tx, appKey)
  if (!app) throw new Error(NO_APP)
  const account = await findAccount(tx, 'produccion', email)
  const outcome = account ? await leaveTeam(tx, app.id, account.id) : 'gone'
  if (outcome === 'last')
    throw new Error(`${email} is the only titular of ${app.nombre}. Make somebody else titular first.`)
  if (!account || (outcome === 'gone' && !(await cancelInvite(tx, app.id, account.id))))
    throw new Error(`${email} is not a member of ${app.nombre}'s team.`)
  await endSessions(tx, account.id)
  await auditAccount(tx, 'equipo.quitar', account, { app: app.appKey })
}

const auditAccount = (db: Db, act: string, { id }: Pick<Account, 'id'>, detail?: Record<string, unknown>) =>
  audit(db, byCommand(act, `cuenta ${id}`, detail))

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
