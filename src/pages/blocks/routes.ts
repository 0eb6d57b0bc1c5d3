import type { FastifyInstance } from 'fastify'
import { supportOf } from '../../resources/agencias/context.ts'
import { blockInvitations, readBlockToken } from '../../resources/agencias/invitation-limits.ts'
import { CONFIRMATION } from '../form.ts'
import { HIDDEN, page } from '../page.ts'
import type { ByToken, PageDeps } from '../signed-in.ts'
import { blockedPage, blockPage, unknownBlockPage } from './page.tsx'

/** /baja/{token}. The POST is also the one-click of mail programs (RFC 8058), so it asks for nothing else. */
export function blocksRoutes(app: FastifyInstance, { store, seal, config }: PageDeps): void {
  const support = supportOf(config)

  app.get<ByToken>('/baja/:token', HIDDEN, ({ params: { token } }, reply) => {
    const email = readBlockToken(seal, token)
    if (!email) return page(reply, unknownBlockPage({ support }), 404)
    return page(reply, blockPage({ token, email, support }))
  })

  app.post<ByToken>('/baja/:token', CONFIRMATION, async ({ params: { token } }, reply) => {
    const email = readBlockToken(seal, token)
    if (!email) return page(reply, unknownBlockPage({ support }), 404)
    await blockInvitations(store, email)
    return page(reply, blockedPage({ email, support }))
  })
}
