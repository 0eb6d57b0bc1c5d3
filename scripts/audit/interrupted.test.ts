import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { compiledProgram } from '../../tests/support/compiled-program.ts'
import { interrupt, type Moment } from '../../tests/support/interruption.ts'
import { until } from '../../tests/support/until.ts'

const SLOW_MS = 120_000

describe('npm run audit:check, interrupted', { skip: process.platform !== 'linux' && 'it needs /proc' }, () => {
  let registry: Server
  let requests: number
  before(async () => {
    registry = createServer(() => requests++) // it never answers
    await once(registry.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => {
    registry.closeAllConnections()
    registry.close()
  })

  const mustConfirm: Moment = () => until(() => requests > 0, SLOW_MS)

  for (const [name, args] of [
    ['by itself', [compiledProgram('audit')]],
    ['as a part of npm run trust', [compiledProgram('trust'), '--only', 'audit']],
  ] as const)
    it(`130: ${name}, while the registry does not answer, leaves no npm`, async () => {
      requests = 0
      const { port } = registry.address() as AddressInfo
      await interrupt([...args], 'SIGTERM', mustConfirm, {
        npm_config_registry: `http://127.0.0.1:${port}/`,
      })
    })
})
