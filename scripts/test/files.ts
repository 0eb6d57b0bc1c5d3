import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const PLACES = ['src', 'tests', 'sdk', 'bench', 'drills', 'scripts', 'catalogue', 'eval']
const TEST = /\.test\.tsx?$/
/** Checks of what the whole run has seen; they mean little after a part of it, unless one asks for them by name. */
const LAST = /\.last\.ts$/
/** What takes long and is about our own tools: `npm run trust` asks for it by name. */
const LONG = /\.long\.ts$/

/** The test files at those paths, or all of them. */
export async function findTests(asked: string[], root: string): Promise<{ tests: string[]; last: string[] }> {
  const paths = asked.length > 0 ? asked.map((path) => resolve(path)) : PLACES.map((place) => join(root, place))
  const files = (await Promise.all(paths.map(filesBelow))).flat().sort()
  const isAskedFor = (file: string) => LONG.test(file) && paths.includes(file)
  const tests = [...new Set(files.filter((file) => TEST.test(file) || isAskedFor(file)))]
  if (tests.length === 0) throw new Error(`No tests in ${asked.join(' ') || PLACES.join(', ')}.`)
  return { tests, last: files.filter((file) => LAST.test(file) && (asked.length === 0 || paths.includes(file))) }
}

/** All files below a path, or the path itself. */
async function filesBelow(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return []
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true })
  return entries.filter((entry) => !entry.split('/').includes('node_modules')).map((entry) => join(path, entry))
}
