import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { MemberRol } from '../../accounts/account.ts'
import { type Account, isMailAddress } from '../../accounts/account.ts'
import { audit } from '../../accounts/audit.ts'
import { endLinks, newLink } from '../../accounts/links.ts'
import { isLastTitular, lockTeam, setMember } from '../../accounts/members.ts'
import { hashPassword, passwordFault } from '../../accounts/password.ts'
import { addStaff, lockStaff } from '../../accounts/staff.ts'
import { createAccount, ensureAccount, findAccount, setName } from '../../accounts/store.ts'
import type { App } from '../../apps/app.ts'
import { findApp } from '../../apps/store.ts'
import type { Db } from '../../store/db.ts'
import { type Io, parse, printJson, UsageError } from '../command.ts'
import { withStore } from '../with-store.ts'

const ROLES: readonly string[] = ['titular', 'desarrollador']
const LINK_HOURS = 72
const NAME_CHARACTERS = 50

interface Wanted {
  email: string
  nombre: string
  apellido: string
  passwordHash: string | undefined
  /** The team to join; staff where absent. */
  team: { app: App; rol: MemberRol } | undefined
}

/** The result: the account is active, or waits for the link to be used. */
interface Made {
  account: Account
  link: string | undefined
}

/** Creates a staff member, or a member of an app's team. */
export async function createUser(argv: string[], io: Io): Promise<void> {
  const { values, positionals } = parse(argv, {
    email: { type: 'string' },
    nombre: { type: 'string', default: '' },
    apellido: { type: 'string', default: '' },
    clave: { type: 'string' },
    app: { type: 'string' },
    rol: { type: 'string' },
    json: { type: 'boolean' },
  })
  if (positionals.length > 0) throw new UsageError(`unexpected argument "${positionals[0]}".`)
  const email = values.email?.trim().toLowerCase() ?? ''
  if (!isMailAddress(email)) throw new UsageError('--email is needed, and must be a mail address.')
  const [nombre, apellido] = [values.nombre.trim(), values.apellido.trim()]
  if (nombre.length > NAME_CHARACTERS || apellido.length > NAME_CHARACTERS)
    throw new UsageError(`--nombre and --apellido have up to ${NAME_CHARACTERS} characters.`)
  if (values.clave !== undefined && values.clave !== '-')
    throw new UsageError('--clave - reads the password from the input: an argument is seen by everyone on the machine.')
  if (values.rol !== undefined && !values.app) throw new UsageError('--rol says what somebody is to an --app.')
  const rol = values.rol ?? 'desarrollador'
  if (!ROLES.includes(rol)) throw new UsageError(`--rol must be ${ROLES.join(' or ')}.`)
  const passwordHash = values.clave === '-' ? await chosenPassword(io, email) : undefined

  const made = await withStore(io.config, ({ store }) =>
    store.transaction(async (tx) => {
      const app = values.app && (await findApp(tx, values.app.toLowerCase()))
      if (values.app && !app) throw new Error('there is no app with that AppKey. `rodado app list` shows them all.')
      const team = app ? { app, rol: rol as MemberRol } : undefined
      return make(tx, { email, nombre, apellido, passwordHash, team }, io.config.publicUrl)
    }),
  )
  if (values.json) return printJson(io.out, { Email: email, Enlace: made.link ?? null })
  io.out.write(report(email, made, values.app ? `${rol} of ${values.app}` : 'of the staff', io.config.publicUrl))
}

async function chosenPassword(io: Io, email: string): Promise<string> {
  const password = await readPassword(io)
  const fault = passwordFault(password, email)
  if (fault) throw new Error(`the password is not accepted: ${fault}`)
  return hashPassword(password)
}

/** An account with a password joins at once; otherwise the person gets a link. */
async function make(tx: Db, wanted: Wanted, publicUrl: string): Promise<Made> {
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
  await audit(tx, { accountId: null, via: 'comando', act, subject: `cuenta ${account.id}`, ...(detail && { detail }) })
  const about = team
    ? { purpose: 'equipo' as const, appId: team.app.id, rol: team.rol }
    : { purpose: 'personal' as const }
  await endLinks(tx, { ...about, accountId: account.id }) // an earlier link would give another role
  if (!account.hasPassword) {
    const token = await newLink(tx, { ...about, accountId: account.id, hours: LINK_HOURS })
    return { account, link: `${publicUrl}/${about.purpose}/${token}` }
  }
  if (team) await setMember(tx, team.app.id, account.id, team.rol)
  else await addStaff(tx, account.id)
  return { account, link: undefined }
}

function report(email: string, { link }: Made, what: string, publicUrl: string): string {
  if (!link) return `${email} is ${what}. Sign in at ${publicUrl}/entrar\n`
  return `${email} becomes ${what} with this link (good once, for ${LINK_HOURS} hours). Hand it over in person:\n\n  ${link}\n`
}

/** Reads one line of the input; at a terminal, prompts for it without echo. */
async function readPassword({ input, err }: Pick<Io, 'input' | 'err'>): Promise<string> {
  const terminal = (input as NodeJS.ReadStream).isTTY === true
  if (terminal) err.write('Password: ')
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: silence, terminal })
  const [line = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  lines.close()
  if (terminal) err.write('\n')
  return String(line)
}
