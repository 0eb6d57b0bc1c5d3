import type { FastifyInstance } from 'fastify'
import { usageOf } from '../../../apps/usage-store.ts'
import { page } from '../../page.ts'
import { HIDDEN, type PageDeps } from '../../signed-in.ts'
import type { ByApp } from '../access.ts'
import { pageContext } from '../context.tsx'
import { progressOf } from '../puesta-en-marcha/progress.ts'
import { overviewPage } from './page.tsx'

const HOURS = 24

/** /portal/{AppKey} */
export function overviewRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, config } = deps
  app.get<ByApp>('/portal/:appKey', HIDDEN, async (request, reply) => {
    const ctx = await pageContext(deps, request, reply)
    if (!ctx) return reply
    const asked = { appId: ctx.app.id, step: 'hour', count: HOURS, timeZone: config.timeZone } as const
    const [periods, progress] = await Promise.all([usageOf(store, asked), progressOf(deps, ctx.app)])
    return page(reply, overviewPage({ ctx, periods, progress }))
  })
}
