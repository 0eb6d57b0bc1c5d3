import { execFile } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CONTENTS = [
  'package.json',
  'package-lock.json',
  'bin',
  'dist',
  'README.md',
  'LICENSE',
  'NOTICE',
  'scripts/published-manifest.js',
]

/** The version of the packages. */
export const version = async (): Promise<string> =>
  JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')).version

/** Makes the tarball that `npm pack` makes, in that folder, from a copy: the checkout's package.json stays as it is. */
export async function makeTarball(folder: string): Promise<string> {
  await run(process.execPath, ['scripts/build.js', '--if-stale'], { cwd: ROOT })
  const copy = join(folder, 'source')
  await mkdir(join(copy, 'scripts'), { recursive: true })
  for (const path of CONTENTS) await cp(join(ROOT, path), join(copy, path), { recursive: true })
  await run(process.execPath, ['scripts/published-manifest.js'], { cwd: copy })
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    cwd: copy,
  })
  return join(folder, stdout.trim())
}
