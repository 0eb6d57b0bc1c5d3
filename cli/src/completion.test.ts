import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { run as serverRun } from '../../src/cli/run.ts'
import { run } from './run.ts'
import { TOPICS } from './topics.ts'

/** Each shell completes words of a command line, of which the last may be incomplete or empty. */
const SHELLS: Record<string, (script: string, words: string[]) => string[]> = {
  bash: (script, words) => [
    '-c',
    `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rodado; printf "%s\\n" "\${COMPREPLY[@]}"`,
    'bash',
    script,
    ...words,
  ],
  // Completion runs in zsh's line editor; outside of it, what would be offered is printed.
  zsh: (script, words) => [
    '-f',
    '-c',
    `compdef() { :; }; source "$1"; shift; words=("$@"); CURRENT=$#; local -a offered
     compadd() { shift; offered+=("$@"); }; _files() { :; }
     _describe() { offered+=("\${(@)\${(@P)2}%%:*}"); }
     _rodado; for word in $offered; do [[ $word == $words[CURRENT]* ]] && print -r -- $word; done; true`,
    'zsh',
    script,
    ...words,
  ],
  fish: (script, words) => [
    '-c',
    'source $argv[1]; complete -C "$argv[2]" | string replace -r "\\t.*" ""; true',
    script,
    words.join(' '),
  ],
}

describe('completion', () => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rodado-completion-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const [shell, command] of Object.entries(SHELLS))
    describe(shell, { skip: isMissing(shell) }, () => {
      const scripts: Record<string, string> = {}
      before(async () => {
        for (const [name, program] of Object.entries({ partner: run, server: serverRun })) {
          const out = new PassThrough()
          assert.equal(await program(['completion', shell], { out, err: out, env: {} }), 0)
          scripts[name] = join(folder, `${name}.${shell}`)
          writeFileSync(scripts[name] as string, String(out.read()))
        }
      })
      const complete = (name: 'partner' | 'server', ...words: string[]) =>
        execFileSync(shell, command(scripts[name] as string, ['rodado', ...words]), { encoding: 'utf8' })
          .split('\n')
          .filter(Boolean)
          .sort()

      it('completes commands', () => {
        assert.deepEqual(complete('partner', 'ev'), ['events'])
        assert.ok(complete('partner', '').includes('listen'))
        assert.ok(!complete('partner', '').includes('serve'))
      })
      it('completes options, and their values', () => {
        assert.deepEqual(complete('partner', 'events', '--cursor-'), ['--cursor-file'])
        assert.deepEqual(complete('partner', 'events', '--topic', 'agencia.'), TOPICS.slice(0, 3).sort())
        assert.deepEqual(complete('partner', 'bestmatch', '--kind', 'v'), ['version'])
      })
      it('completes arguments with few values', () => {
        assert.deepEqual(complete('partner', 'trigger', 'webhook'), ['webhook.prueba'])
        assert.deepEqual(complete('partner', 'call', 'PA'), ['PATCH'])
      })
      it('completes the subcommands of a server', () => {
        assert.deepEqual(complete('server', 'app', 'cre'), ['create'])
        assert.deepEqual(complete('server', 'app', 'create', '--nom'), ['--nombre'])
      })
    })

  it('2: another shell', async () => {
    const err = new PassThrough()
    assert.equal(await run(['completion', 'zhs'], { out: err, err, env: {} }), 2)
    assert.match(String(err.read()), /the shells are bash, zsh, fish\. Did you mean zsh\?/)
  })
})

function isMissing(shell: string): string | false {
  return spawnSync(shell, ['--version']).error ? `${shell} is not installed` : false
}
