import { execFile } from 'node:child_process'
import { lstat, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

export interface SystemUser {
  name: string
  uid: number
  gid: number
  /** True if it is not our own user: PostgreSQL refuses to run as root. */
  foreign: boolean
  /** The user for initdb, if it is another one: initdb needs an entry in /etc/passwd. */
  initdbAs?: SystemUser
}

/** Free user ids, for systems without such a user: systemd leaves 60706 to 61183 unused, and containers map ids below 65536. */
const OWN_IDS = { first: 60_891, last: 61_183 }
const NOBODY = 'nobody'

/** The user for the cluster in `dir`: our own, or, for root, the cluster's owner or an unprivileged user. */
export async function systemUserFor(dir: string): Promise<SystemUser> {
  const owner = (await lstat(dir).catch(ignoring('ENOENT')))?.uid
  return process.getuid?.() === 0 ? accountForRoot(dir, owner) : ownAccount(dir, owner)
}

function ownAccount(dir: string, owner: number | undefined): SystemUser {
  const { username, uid, gid } = currentUser()
  if (owner === undefined || owner === uid) return { name: username, uid, gid, foreign: false }
  throw new Error(
    `${dir} belongs to user ${owner} and this is user ${uid} (${username}). Start as that user or as root, or choose another DATA_DIR.`,
  )
}

function currentUser() {
  try {
    return userInfo()
  } catch (cause) {
    throw new Error(
      `PostgreSQL cannot run as user ${process.getuid?.()}, who has no entry in /etc/passwd. Start as a user who has one, or set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    )
  }
}

async function accountForRoot(dir: string, owner: number | undefined): Promise<SystemUser> {
  if (owner === 0)
    throw new Error(`${dir} belongs to root, as whom PostgreSQL refuses to run. Choose another DATA_DIR.`)
  const users = (await passwd()).filter(({ uid }) => uid !== 0)
  if (owner === undefined) return chooseAccount(users)
  const found = users.find(({ uid }) => uid === owner)
  if (found) return found
  if (owner >= OWN_IDS.first && owner <= OWN_IDS.last) return ownId(owner)
  throw new Error(
    `${dir} belongs to user ${owner}, who has no entry in /etc/passwd. Add one, or choose another DATA_DIR.`,
  )
}

/** Processes of one user can read each other's data, so a shared user like `nobody` only creates the cluster. */
export function chooseAccount(users: readonly SystemUser[]): SystemUser {
  const named = (name: string) => users.find((user) => user.name === name)
  const dedicated = named('rodado') ?? named('postgres')
  if (dedicated) return dedicated
  const initdbAs = named(NOBODY) ?? users.at(0)
  if (!initdbAs)
    throw new Error(
      'PostgreSQL does not run as root and /etc/passwd names nobody else. Add a user (useradd --system rodado), or set DATABASE_URL to a PostgreSQL server.',
    )
  const taken = new Set(users.map(({ uid }) => uid))
  for (let uid = OWN_IDS.first; uid <= OWN_IDS.last; uid++) if (!taken.has(uid)) return { ...ownId(uid), initdbAs }
  return initdbAs
}

const ownId = (uid: number): SystemUser => ({ name: `user ${uid}`, uid, gid: uid, foreign: true })

/** What to do if the data belongs to a user that other daemons run as; undefined if it does not. */
export function sharedAccountWarning(dir: string, { name, uid, gid, foreign }: SystemUser): string | undefined {
  if (name !== NOBODY) return undefined
  const command = foreign ? `chown -R rodado: ${dir}` : `chown -R rodado: ${dirname(dir)}, and start as rodado`
  return `${dir} belongs to ${name} (${uid}:${gid}), whom other daemons run as too: they can read the data. Stop the server, then: useradd --system rodado && ${command}`
}

/** An error handler that ignores these codes. */
export const ignoring =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(error.code ?? '')) throw error
  }

async function passwd(): Promise<SystemUser[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && /^\d+$/.test(uid ?? '') ? [{ name, uid: Number(uid), gid: Number(gid), foreign: true }] : []
  })
}

/** PostgreSQL's programs get no secrets from our environment, and a fixed language. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Options to start a program as that user, in a folder that everybody can enter. */
export function as(account: SystemUser) {
  return { cwd: '/', env: ENVIRONMENT, ...(account.foreign && { uid: account.uid, gid: account.gid }) }
}

const runFile = promisify(execFile)

/** Runs a program as that user and returns its output; its stderr is the error's message. */
export async function run(account: SystemUser, program: string, args: string[]): Promise<string> {
  const { stdout } = await runFile(program, args, as(account)).catch((cause: Error & { stderr?: string }) => {
    throw new Error(cause.stderr?.trim() || cause.message, { cause })
  })
  return stdout.trim()
}
