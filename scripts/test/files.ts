import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Tests of whole programs and pages take longest: they run first, so that none of them is the last to end. */
const LONGEST = ['tests', 'drills', 'scripts', 'clients', 'cli', 'src/cli', 'src/photos', 'src/store', 'src/pages']
const OTHERS = ['bench', 'catalogue', 'eval', 'src']
const TEST = /\.test\.tsx?$/
/** Checks of the whole run; after a partial run they need to be named. */
const LAST = /\.last\.ts$/
/** Long tests of our own tools: `npm run trust` names them. */
const LONG = /\.long\.ts$/

/** The test files at these paths, or all of them. */
export async function findTests(given: string[], root: string): Promise<{ tests: string[]; last: string[] }> {
  const paths = given.map((path) => resolve(path))
  const files = given.length > 0 ? await allBelow(paths) : await allFiles(root)
  const isAskedFor = (file: string) => LONG.test(file) && paths.includes(file)
  const tests = [...new Set(files.filter((file) => TEST.test(file) || isAskedFor(file)))]
  if (tests.length === 0) throw new Error(`No tests in ${given.join(' ') || root}.`)
  return { tests, last: files.filter((file) => LAST.test(file) && (given.length === 0 || paths.includes(file))) }
}

const allBelow = async (paths: string[]): Promise<string[]> => (await Promise.all(paths.map(filesBelow))).flat()

/** Interleaves the folders: processes that all run files of one folder often wait for the same thing. */
async function allFiles(root: string): Promise<string[]> {
  const places = await Promise.all(
    LONGEST.map(async (place) => (await filesBelow(join(root, place))).filter(isOfTests)),
  )
  const most = Math.max(...places.map(({ length }) => length))
  const interleaved = Array.from({ length: most }, (_, at) => places.flatMap((files) => files.slice(at, at + 1))).flat()
  return [...interleaved, ...(await allBelow(OTHERS.map((place) => join(root, place))))]
}

const isOfTests = (file: string): boolean => TEST.test(file) || LAST.test(file)

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
