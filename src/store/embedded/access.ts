import { randomUUID } from 'node:crypto'
import { chown, rename, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.ts'

/**
 * Admits, by the user id that the kernel vouches for, root and the user who runs the server, and nobody else: so there
 * is no password to keep. Written before every start, because the server may run as another user than last time.
 */
export async function admitOwner(dir: string, account: Account): Promise<void> {
  const names = new Set(['root', userInfo().username])
  const map = [...names].map((name) => `rodado "${name}" all\n`).join('')
  await put(join(dir, 'pg_ident.conf'), map, account)
  await put(join(dir, 'pg_hba.conf'), 'local all all peer map=rodado\n', account)
}

/** Written aside and moved in: root must not write through a link that somebody laid in a folder which is not root's. */
async function put(path: string, text: string, account: Account): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  await writeFile(aside, text, { flag: 'wx', mode: 0o600 })
  if (account.foreign) await chown(aside, account.uid, account.gid)
  await rename(aside, path)
}
