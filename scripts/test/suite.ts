import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { setPasswordCost } from '../../src/accounts/password.ts'
import { CHEAP } from '../../tests/support/cheap-passwords.ts'

const FILE_TIMEOUT_MS = 240_000
/** For resources that take a moment to close, also on a busy machine. */
const CLOSING_MS = 60_000
/** In the claim of a file. */
const FINISHED = 'finished'
const WAITS = 'A test file shares its process and cannot wait at its top level: await in before().'

/** Loads a test file, whose tests then belong to the suite being defined. */
type Load = () => { readToItsEnd?: boolean }

/**
 * Runs the test files that no other process of the run has claimed, one after another. Claiming them one by one keeps all
 * processes busy to the end, whatever each file takes.
 */
export async function runFiles(files: Record<string, Load>, claims: string): Promise<void> {
  setPasswordCost(CHEAP)
  for (const [index, [file, load]] of Object.entries(files).entries()) {
    const path = join(claims, String(index))
    if (!claim(path)) continue
    await runFile(file, load)
    writeFileSync(path, FINISHED)
  }
  for (const close of closing) await close()
  expectExit()
}

/** The files that no process ran to their end: one that crashes or exits does not say in which file it was. */
export async function findUnfinished(files: string[], claims: string): Promise<string[]> {
  const states = await Promise.all(
    files.map((_, index) => readFile(join(claims, String(index)), 'utf8').catch(() => '')),
  )
  return files.filter((_, index) => states[index] !== FINISHED)
}

const closing: (() => unknown)[] = []
/** Closes what the test files of this process share, after the last one. */
export const afterAllFiles = (close: () => unknown): void => void closing.push(close)

function claim(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Each file is a suite, so that its hooks are its own. */
function runFile(file: string, load: Load): Promise<void> {
  return new Promise((resolve) => {
    describe(file, { timeout: FILE_TIMEOUT_MS }, () => {
      after(() => resolve()) // before the file's own hooks: one that fails ends them
      if (!load().readToItsEnd) throw new Error(WAITS)
    })
  })
}

/** A process that does not exit after its last test holds something that a test has not closed. */
function expectExit(): void {
  const complain = () => {
    process.stderr.write(`A test of this process left something open: ${process.getActiveResourcesInfo().join(', ')}\n`)
    process.exit(1)
  }
  setTimeout(complain, CLOSING_MS).unref()
}
