import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderToString } from 'preact-render-to-string'
import { Limiter } from '../../../http/limits.ts'
import { type Errors, Problem } from '../../../http/problems.ts'
import { sendForged } from '../../../resources/appnotificaciones/forge.ts'
import { formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import type { PortalContext, PortalPages } from '../context.tsx'
import { GoLive, goLivePage } from './page.tsx'
import { progressOf } from './progress.tsx'

/** Each one sends a request to the receiver while the person waits. */
const FORGED = { perSecond: 0.2, burst: 5 }
const TOO_MANY = 'Ya envió varios: espere unos segundos.'

/** /portal/{AppKey}/puesta-en-marcha: the steps to production, and the test with a forged signature. */
export function goLiveRoutes(app: PortalPages, deps: PageDeps): void {
  const forged = new Limiter(FORGED, deps.nowMs)

  async function show(reply: FastifyReply, ctx: PortalContext, errors?: Errors): Promise<FastifyReply> {
    const progress = await progressOf(deps, ctx.app)
    return page(allowScript(reply), goLivePage({ ctx, progress, errors }), errors ? 400 : 200)
  }

  app.get('/puesta-en-marcha', async (request, reply) => {
    const { ctx } = request
    if (!isPartial(request)) return show(reply, ctx)
    const progress = await progressOf(deps, ctx.app)
    return reply.type('text/html; charset=utf-8').send(renderToString(<GoLive ctx={ctx} progress={progress} />))
  })

  app.post('/puesta-en-marcha/firma-falsa', formRoute(100), async (request, reply) => {
    const { ctx } = request
    const topic = line(formOf(request), 'Topic')
    if (!forged.take(ctx.app.id).allowed) return show(reply, ctx, { _: [TOO_MANY] })
    await ctx.audit('webhook.firma-falsa', ctx.app.appKey, { topic })
    try {
      const { refused } = await sendForged(deps, ctx.app, topic)
      return redirectWithNotice(
        reply,
        refused ? 'firma-falsa-rechazada' : 'firma-falsa-enviada',
        `${ctx.basePath}/puesta-en-marcha`,
      )
    } catch (error) {
      if (error instanceof Problem && error.errors) return show(reply, ctx, error.errors)
      throw error
    }
  })
}

/** Whether the page asks for its own part again. */
const isPartial = ({ headers }: FastifyRequest): boolean => headers['hx-request'] === 'true'
