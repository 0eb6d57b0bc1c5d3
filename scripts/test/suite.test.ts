import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findUnfinished } from './suite.ts'

test('a file whose process ended before it, or that none has claimed, is reported', async (t) => {
  const claims = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'claims-'))
  t.after(() => rm(claims, { recursive: true }))
  await writeFile(join(claims, '0'), 'finished')
  await writeFile(join(claims, '1'), '')
  assert.deepEqual(await findUnfinished(['finished', 'crashed', 'unclaimed'], claims), ['crashed', 'unclaimed'])
})
