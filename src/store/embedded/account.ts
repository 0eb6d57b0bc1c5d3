import { lstat, readFile } from 'node:fs/promises'
import { userInfo } from 'node:os'

/** The operating system's user that PostgreSQL runs as. */
export interface Account {
  name: string
  uid: number
  gid: number
  /** Whether that is somebody else: PostgreSQL refuses to run as root. */
  foreign: boolean
}

/** The user to run the cluster in `dir` as: ourselves, or, for root, the cluster's owner or an unprivileged user. */
export async function accountFor(dir: string): Promise<Account> {
  const owner = await ownerOf(dir)
  return process.getuid?.() === 0 ? accountForRoot(dir, owner) : ownAccount(dir, owner)
}

function ownAccount(dir: string, owner: number | undefined): Account {
  const { username, uid, gid } = self()
  if (owner !== undefined && owner !== uid) {
    throw new Error(
      `${dir} belongs to user ${owner} and this is user ${uid} (${username}). Start as that user or as root, or choose another DATA_DIR.`,
    )
  }
  return { name: username, uid, gid, foreign: false }
}

function self() {
  try {
    return userInfo()
  } catch (cause) {
    throw new Error(
      `PostgreSQL cannot run as user ${process.getuid?.()}, who has no entry in /etc/passwd. Start as a user who has one, or set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    )
  }
}

async function accountForRoot(dir: string, owner: number | undefined): Promise<Account> {
  if (owner === 0)
    throw new Error(`${dir} belongs to root, as whom PostgreSQL refuses to run. Choose another DATA_DIR.`)
  const users = (await passwd()).filter(({ uid }) => uid !== 0)
  if (owner !== undefined) {
    const found = users.find(({ uid }) => uid === owner)
    if (found) return found
    throw new Error(
      `${dir} belongs to user ${owner}, who has no entry in /etc/passwd. Add one, or choose another DATA_DIR.`,
    )
  }
  const chosen =
    users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody') ?? users.at(0)
  if (chosen) return chosen
  throw new Error(
    'PostgreSQL does not run as root and /etc/passwd names nobody else. Add a user, or set DATABASE_URL to a PostgreSQL server.',
  )
}

async function ownerOf(dir: string): Promise<number | undefined> {
  try {
    return (await lstat(dir)).uid
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function passwd(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && /^\d+$/.test(uid ?? '') ? [{ name, uid: Number(uid), gid: Number(gid), foreign: true }] : []
  })
}
