import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PORT } from './settings.ts'

/** An address of a socket has 104 bytes on macOS and 108 on Linux, its end included. */
const LONGEST_SOCKET_PATH = 100

/** The folder through which clients reach the socket in `dir`: itself, or a short link to it where its path is too long. */
export async function socketFolder(dir: string): Promise<{ host: string; remove(): Promise<void> }> {
  if (Buffer.byteLength(join(dir, `.s.PGSQL.${PORT}`)) <= LONGEST_SOCKET_PATH) {
    return { host: dir, remove: async () => undefined }
  }
  const base = Buffer.byteLength(tmpdir()) < LONGEST_SOCKET_PATH / 2 ? tmpdir() : '/tmp'
  const folder = await mkdtemp(join(base, 'rodado-'))
  const host = join(folder, 'pg')
  await symlink(dir, host)
  return { host, remove: () => rm(folder, { recursive: true, force: true }) }
}
