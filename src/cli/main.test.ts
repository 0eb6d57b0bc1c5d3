import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
