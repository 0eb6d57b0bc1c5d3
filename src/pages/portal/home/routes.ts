import type { FastifyInstance } from 'fastify'
import { membershipsOf } from '../../../accounts/members.ts'
import { findApp } from '../../../apps/store.ts'
import { supportOf } from '../../../resources/agencias/support.ts'
import { page } from '../../page.ts'
import { HIDDEN, type PageDeps, requireSignedIn, seeOther, takeNotice } from '../../signed-in.ts'
import { homePage, type OwnApp } from './page.tsx'

/** /portal: the apps of whoever asks; where it is one, that one. */
export function portalHomeRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, config } = deps

  app.get('/portal', HIDDEN, async (request, reply) => {
    const account = await requireSignedIn(deps, request, reply, '/portal')
    if (!account) return reply
    const memberships = await membershipsOf(store, account.id)
    if (memberships.length === 1) return seeOther(reply, `/portal/${memberships[0]?.appKey}`)
    const apps: OwnApp[] = []
    for (const { appKey, rol } of memberships) {
      const found = await findApp(store, appKey)
      if (found) apps.push({ ...found, rol })
    }
    return page(reply, homePage({ account, support: supportOf(config), apps, notice: takeNotice(request, reply) }))
  })
}
