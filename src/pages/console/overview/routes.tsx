import type { FastifyInstance } from 'fastify'
import type { Asking } from '../../asked.ts'
import { asksForPart, sendPart, versionOf } from '../../live.ts'
import { page } from '../../page.ts'
import { HIDDEN, type People } from '../../people.ts'
import { allowScript } from '../../security.ts'
import { visitBy } from '../visit.tsx'
import { DAYS, figuresOf, WEEK } from './figures.ts'
import { OVERVIEW, Overview, overviewPage } from './page.tsx'

const MINUTE_MS = 60_000

/** /consola */
export function consoleOverviewRoutes(app: FastifyInstance, people: People): void {
  app.get<Asking>(OVERVIEW, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const asPart = asksForPart(request)
    const figures = await figuresOf(people, asPart ? WEEK : DAYS)
    const props = { visit, figures }
    // How long something waits is told by the minute.
    const version = versionOf([
      { ...figures, days: figures.days.slice(-WEEK) },
      Math.floor(visit.now.getTime() / MINUTE_MS),
    ])
    if (asPart) return sendPart(reply, <Overview {...props} version={version} />, request.query.visto, version)
    return page(allowScript(reply), overviewPage({ ...props, version }))
  })
}
