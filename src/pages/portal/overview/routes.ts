import { usageOf } from '../../../apps/usage-store.ts'
import { page } from '../../page.ts'
import type { PageDeps } from '../../signed-in.ts'
import type { ByApp } from '../access.ts'
import type { PortalPages } from '../context.tsx'
import { progressOf } from '../puesta-en-marcha/progress.ts'
import { overviewPage } from './page.tsx'

const HOURS = 24

/** /portal/{AppKey} */
export function overviewRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, config } = deps
  app.get<ByApp>('', async (request, reply) => {
    const { ctx } = request
    const asked = { appId: ctx.app.id, step: 'hour', count: HOURS, timeZone: config.timeZone } as const
    const [periods, progress] = await Promise.all([usageOf(store, asked), progressOf(deps, ctx.app)])
    return page(reply, overviewPage({ ctx, periods, progress }))
  })
}
