import type { App } from '../apps/app.ts'
import { TEST_DOMAIN } from '../mail/email.ts'
import type { Agencia } from '../resources/agencias/agencia.ts'
import { makeAgency, type SandboxDeps } from './agency.ts'
import { chanceOf } from './fiction/chance.ts'

const AGENCIES = ['norte', 'centro', 'sur'] as const

/**
 * Gives a new app in test mode associated agencies with listings. Running it again creates what is
 * missing.
 */
export async function openSandbox(deps: SandboxDeps, app: App): Promise<Agencia[]> {
  if (app.modo !== 'prueba') return []
  const mark = app.appKey.slice(0, 8)
  return deps.store.transaction(async (tx) => {
    const made: Agencia[] = []
    for (const [nth, name] of AGENCIES.entries()) {
      const chance = chanceOf(Number.parseInt(mark, 16) + nth)
      const agencia = await makeAgency(tx, deps, app, { email: `${name}.${mark}@${TEST_DOMAIN}`, chance })
      if (agencia) made.push(agencia)
    }
    return made
  })
}
