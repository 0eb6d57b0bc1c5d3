import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startScenario } from './scenario.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('..', import.meta.url))

describe('clients', () => {
  it('the TypeScript client passes the scenario', async () => {
    const scenario = await startScenario()
    try {
      await scenario.check(async (env) => {
        const args = ['--import', 'tsx', 'clients/typescript/scenario.ts']
        const { stdout } = await run(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env } })
        return stdout
      })
    } finally {
      await scenario.stop()
    }
  })
})
