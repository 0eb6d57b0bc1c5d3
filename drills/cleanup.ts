import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Notes what is to be undone at the end: in the very turn in which it is begun, so that no interruption falls between. */
export type Defer = (work: () => unknown) => void

/** The end of a drill, which may come at any moment. */
export interface Cleanup {
  defer: Defer
  /** Whether it has come: whatever fails from now on fails for that. */
  isCleaningUp(): boolean
  /** Undoes everything, the last first, once; and then at once `andThen`, before anything else can be begun. */
  end(andThen?: () => void): Promise<void>
}

/** `complain` hears of what could not be undone: the rest is, all the same. */
export function createCleanup(report: (words: string) => void): Cleanup {
  const works: (() => unknown)[] = []
  let cleanup: Promise<unknown> | undefined

  async function undo(work: () => unknown): Promise<void> {
    try {
      await work()
    } catch (error) {
      report(`at the end: ${error}`)
    }
  }
  async function undoAll(): Promise<void> {
    for (let work = works.pop(); work; work = works.pop()) await undo(work)
  }
  return {
    // What was still on its way when the end came is undone as soon as it is begun, and the end waits for that too.
    defer(work) {
      if (cleanup) cleanup = Promise.all([cleanup, undo(work)])
      else works.push(work)
    },
    isCleaningUp: () => cleanup !== undefined,
    async end(andThen) {
      cleanup ??= undoAll()
      for (let seen: unknown; seen !== cleanup; await seen) seen = cleanup
      andThen?.()
    },
  }
}

const INTERRUPTED = 130 // as shells say it

/** Whatever signal or error comes, everything is undone before the process ends. What is returned does so for an error. */
export function cleanUpOnSignals({ isCleaningUp, end }: Cleanup): (error: unknown) => void {
  // Each time, and not only once: npm passes on what the terminal has sent already.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      process.stderr.write(`${signal}: cleaning up …\n`)
      void end(() => process.exit(INTERRUPTED))
    })
  function fail(error: unknown): void {
    if (isCleaningUp()) return // it fails because what it uses is being ended, or because the terminal is gone
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    void end(() => process.exit(1))
  }
  process.on('uncaughtException', fail) // and rejections that nobody awaits
  return fail
}

/** Runs a whole program: whatever happens in it, or to it, everything is undone, and then it ends with the code it gave. */
export async function runWithCleanup(program: (cleanup: Cleanup) => Promise<number>): Promise<void> {
  const cleanup = createCleanup((words) => process.stderr.write(`${words}\n`))
  const fail = cleanUpOnSignals(cleanup)
  try {
    process.exitCode = await program(cleanup)
  } catch (error) {
    fail(error)
  } finally {
    await cleanup.end()
  }
}

/** A folder that is gone at the end, with all that is in it. */
export function makeTempDir(defer: Defer, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `rodado-${name}-`))
  defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}
