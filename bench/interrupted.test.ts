import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const MODULE = fileURLToPath(new URL('../bench/interrupted.ts', import.meta.url))
const TSX = fileURLToPath(import.meta.resolve('tsx'))

describe('a bench that is interrupted', () => {
  it('ends what it started, the newest first, forgets what has ended, and publishes nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rodado-interrupted-'))
    const log = join(folder, 'log')
    await writeFile(
      join(folder, 'program.mts'),
      `import { appendFileSync } from 'node:fs'
       import { endAllWhenInterrupted, remember, unlessInterrupted } from ${JSON.stringify(MODULE)}
       const note = (word) => appendFileSync(${JSON.stringify(log)}, word + ' ')
       endAllWhenInterrupted()
       remember(async () => note('database'))
       remember(async () => note('gone'))()
       remember(async () => { note('server'); throw new Error('it was gone already') })
       setInterval(() => undefined, 1000)
       console.log('ready')
       await new Promise((resolve) => process.once('SIGINT', resolve))
       await unlessInterrupted()
       note('published')`,
    )
    const child = spawn(process.execPath, ['--import', TSX, join(folder, 'program.mts')])
    await once(child.stdout, 'data')
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    assert.equal(code, 130)
    assert.equal(await readFile(log, 'utf8'), 'server database ')
    await rm(folder, { recursive: true })
  })
})
