import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { compiledProgram } from '../tests/support/compiled-program.ts'
import { hasFile, interrupt, withProgram } from '../tests/support/interruption.ts'
import { until } from '../tests/support/until.ts'

const PROGRAM = [compiledProgram('image'), '--json']
const SLOW_MS = 120_000

/** A fake container engine that keeps a file for each container. */
const ENGINE = `#!/bin/sh
case "$1" in
  info) ;;
  build) : > "$TMPDIR/building"; eval "$BUILD" ;;
  run) : > "$TMPDIR/starting"; eval "$RUN"; : > "$TMPDIR/$4" ;;
  exec) shift 2; eval "$EXEC" ;;
  rm) rm "$TMPDIR/$4" ;;
esac`
/** Answers as a good image does. */
const GOOD = 'case "$1" in node) ;; id) echo 1000 ;; *) exit 1 ;; esac'
const BAD = 'case "$1" in node) ;; id) echo 0 ;; *) ;; esac'

describe('npm run image:check, with an engine', { skip: process.platform !== 'linux' && 'it needs /proc' }, () => {
  let folder: string
  let env: Record<string, string>
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rodado-engine-'))
    await writeFile(join(folder, 'docker'), ENGINE)
    await chmod(join(folder, 'docker'), 0o755)
    env = { PATH: `${folder}:${process.env.PATH}`, BUILD: '', RUN: '', EXEC: GOOD }
  })
  after(() => rm(folder, { recursive: true }))

  const check = (other: Record<string, string>, code: number, says: RegExp) =>
    withProgram(
      PROGRAM,
      async ({ child, folder: itsOwn, said }) => {
        await until(() => child.exitCode !== null, SLOW_MS)
        assert.equal(child.exitCode, code, said())
        assert.match(said(), says)
        assert.deepEqual(
          (await readdir(itsOwn)).filter((name) => name.startsWith('rodado-')),
          [],
        )
      },
      { ...env, ...other },
    )

  it('0: a good image; no container is left', () =>
    check({}, 0, /^A plain user, a read-only root, and it serves\.\n\{\}$/m))

  it('1: a bad image; no container is left', () =>
    check({ EXEC: BAD }, 1, /^FAILED: it runs as root\nFAILED: its root can be written to$/m))

  it('1: an image that cannot be built, with the output of the engine', () =>
    check({ BUILD: 'echo "no space" >&2; exit 1' }, 1, /build --tag rodado-check \. ended with 1: no space/))

  it('130: interrupted during the build, leaves no process of the engine', () =>
    interrupt(PROGRAM, 'SIGTERM', hasFile(/^building$/), { ...env, BUILD: 'sleep 600' }))

  it('130: interrupted while the container is created, leaves none', () =>
    interrupt(PROGRAM, 'SIGINT', hasFile(/^starting$/), { ...env, RUN: 'sleep 1' }))

  it('130: interrupted before it serves, leaves no container', () =>
    interrupt(PROGRAM, 'SIGTERM', hasFile(/^rodado-check-/), { ...env, EXEC: 'exit 1' }))
})
