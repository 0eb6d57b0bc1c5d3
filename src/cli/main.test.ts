import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { compiledProgram } from '../../tests/support/compiled-program.ts'

test('0: the reader of a command’s output may close it early', async () => {
  const shown = spawn(process.execPath, [compiledProgram('rodado'), 'help'])
  const said = text(shown.stderr)
  shown.stdout.destroy()
  const [code] = await once(shown, 'close')
  assert.deepEqual([code, await said], [0, ''])
})

test('1: a full disk under the output is named, without a stack', { skip: !existsSync('/dev/full') }, async () => {
  const shown = spawn(process.execPath, [compiledProgram('rodado'), 'help'], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
  })
  const said = text(shown.stderr as NodeJS.ReadableStream)
  const [code] = await once(shown, 'close')
  assert.deepEqual([code, await said], [1, 'rodado: the output cannot be written (ENOSPC).\n'])
})
