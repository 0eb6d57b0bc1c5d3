import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOMY_BYTES = 512 * 1024 * 1024

/** A temporary folder for this run, or one beside node_modules if there is too little space. */
export async function makeRunFolder(root: string): Promise<string> {
  const { bavail, bsize } = await statfs(tmpdir())
  const parent = bavail * bsize > ROOMY_BYTES ? tmpdir() : join(root, 'node_modules')
  const make = (where: string) => mkdtemp(join(where, 'rodado-test-'))
  const folder = await make(parent).catch(() => make(tmpdir()))
  // Tests that run as another user must enter it.
  await chmod(folder, 0o711)
  return folder
}
