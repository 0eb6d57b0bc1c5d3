import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Tests of whole programs and pages take longest: they run first, so that none of them is the last to end. */
const LONGEST = ['tests', 'drills', 'scripts', 'clients', 'cli', 'src/cli', 'src/photos', 'src/store', 'src/pages']
const PLACES = [...LONGEST, 'bench', 'catalogue', 'eval', 'src']
const TEST = /\.test\.tsx?$/
/** Checks of the whole run; after a partial run they need to be named. */
const LAST = /\.last\.ts$/
/** Long tests of our own tools: `npm run trust` names them. */
const LONG = /\.long\.ts$/

/** The test files at these paths, or all of them. */
export async function findTests(given: string[], root: string): Promise<{ tests: string[]; last: string[] }> {
  const paths = given.length > 0 ? given.map((path) => resolve(path)) : PLACES.map((place) => join(root, place))
  const files = (await Promise.all(paths.map(filesBelow))).flat()
  const isAskedFor = (file: string) => LONG.test(file) && paths.includes(file)
  const tests = [...new Set(files.filter((file) => TEST.test(file) || isAskedFor(file)))]
  if (tests.length === 0) throw new Error(`No tests in ${given.join(' ') || PLACES.join(', ')}.`)
  return { tests, last: files.filter((file) => LAST.test(file) && (given.length === 0 || paths.includes(file))) }
}

/** All files below a path, or the path itself. */
async function filesBelow(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true })
  return entries
    .filter((entry) => !entry.split('/').includes('node_modules'))
    .map((entry) => join(path, entry))
    .sort()
}
