import type { FastifyInstance } from 'fastify'
import { rich, t } from '../../i18n/messages.tsx'
import { blockInvitaciones, readBlockToken } from '../../resources/agencias/invitacion-store.ts'
import { CONFIRMATION_FORM } from '../form.ts'
import { NarrowPage } from '../layout.tsx'
import { BrandName, HIDDEN, page } from '../page.ts'
import { PostButton } from '../parts.tsx'
import type { ByToken, PageDeps } from '../signed-in.ts'

/** /baja/{token}. The POST is also the one-click of mail programs (RFC 8058), so it asks for nothing else. */
export function blocksRoutes(app: FastifyInstance, { store, seal }: PageDeps): void {
  app.get<ByToken>('/baja/:token', HIDDEN, ({ params: { token } }, reply) => {
    const email = readBlockToken(seal, token)
    if (!email) return page(reply, unknownBlockPage(), 404)
    return page(reply, blockPage({ token, email }))
  })

  app.post<ByToken>('/baja/:token', CONFIRMATION_FORM, async ({ params: { token } }, reply) => {
    const email = readBlockToken(seal, token)
    if (!email) return page(reply, unknownBlockPage(), 404)
    await blockInvitaciones(store, email)
    return page(
      reply,
      <NarrowPage title={t('registro.block.done')} lead={rich('registro.block.doneLead', { email })} />,
    )
  })
}

/** "No recibir más invitaciones": one button, because a mail scanner may open the link. */
const blockPage = ({ token, email }: { token: string; email: string }) => (
  <NarrowPage title={t('registro.block.title')} lead={rich('registro.block.lead', { marca: <BrandName />, email })}>
    <PostButton action={`/baja/${token}`}>{t('registro.block.button')}</PostButton>
  </NarrowPage>
)

const unknownBlockPage = () => <NarrowPage title={t('registro.unknown.title')} lead={t('registro.block.unknownLead')} />
