import { readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Makes the library links that the package's install script makes, where npm was told not to run it. */
export async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // Already there, or a folder we may not write to: running the programs tells whether it matters.
    await symlink(basename(source), join(dirname(native), target)).catch(() => undefined)
  }
}
