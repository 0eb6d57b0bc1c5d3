import { asksForPart, page, sendPart, versionOf } from '../../page.ts'
import type { WithQuery } from '../../params.ts'
import { allowScript } from '../../security.ts'
import type { PageDeps } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { DAYS, figuresOf, WEEK } from './figures.ts'
import { Overview, overviewPage } from './page.tsx'

const MINUTE_MS = 60_000

/** /consola */
export function consoleOverviewRoutes(app: ConsolePages, deps: PageDeps): void {
  app.get<WithQuery>('', async (request, reply) => {
    const { ctx } = request
    const asPart = asksForPart(request)
    const figures = await figuresOf(deps, asPart ? WEEK : DAYS)
    const props = { ctx, figures }
    // Waiting times are shown in minutes.
    const version = versionOf([
      { ...figures, days: figures.days.slice(-WEEK) },
      Math.floor(ctx.now.getTime() / MINUTE_MS),
    ])
    if (asPart) return sendPart(reply, <Overview {...props} version={version} />, request.query.visto, version)
    return page(allowScript(reply), overviewPage({ ...props, version }))
  })
}
