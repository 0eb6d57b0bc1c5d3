import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Registers work for the cleanup. Call it synchronously when the resource is created, so that no signal comes between. */
export type Defer = (work: () => unknown) => void

/** The cleanup of a program, which a signal can start at any moment. */
export interface Cleanup {
  defer: Defer
  /** True once the cleanup has started: later errors are caused by it. */
  isCleaningUp(): boolean
  /** Runs the deferred work once, last first, then calls `andThen` synchronously. */
  end(andThen?: () => void): Promise<void>
}

/** `report` gets the errors of deferred work; the rest still runs. */
export function createCleanup(report: (message: string) => void): Cleanup {
  const works: (() => unknown)[] = []
  let cleanup: Promise<unknown> | undefined

  async function undo(work: () => unknown): Promise<void> {
    try {
      await work()
    } catch (error) {
      report(`cleanup: ${error}`)
    }
  }
  async function undoAll(): Promise<void> {
    for (let work = works.pop(); work; work = works.pop()) await undo(work)
  }
  return {
    // Work deferred during the cleanup runs at once, and the cleanup waits for it.
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

const INTERRUPTED = 130 // the exit code of shells

/** Cleans up on signals and uncaught errors, then exits. Returns the function that does so for an error. */
function cleanUpOnSignals({ isCleaningUp, end }: Cleanup): (error: unknown) => void {
  // `on`, not `once`: npm forwards a signal that the terminal has sent already.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      process.stderr.write(`${signal}: cleaning up …\n`)
      void end(() => process.exit(INTERRUPTED))
    })
  function fail(error: unknown): void {
    if (isCleaningUp()) return // caused by the cleanup, or the terminal is gone
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    void end(() => process.exit(1))
  }
  process.on('uncaughtException', fail) // also unhandled rejections
  return fail
}

/** Runs a program, cleans up after it whatever happens, and sets its exit code. */
export async function runWithCleanup(program: (cleanup: Cleanup) => Promise<number>): Promise<void> {
  const cleanup = createCleanup((message) => process.stderr.write(`${message}\n`))
  const fail = cleanUpOnSignals(cleanup)
  try {
    process.exitCode = await program(cleanup)
  } catch (error) {
    fail(error)
  } finally {
    await cleanup.end()
  }
}

/** Makes a temporary folder that the cleanup removes. */
export function makeTempDir(defer: Defer, name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `rodado-${name}-`))
  defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}
