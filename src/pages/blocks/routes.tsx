import type { FastifyInstance } from 'fastify'
import { blockInvitations, readBlockToken } from '../../resources/agencias/invitation-store.ts'
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
    await blockInvitations(store, email)
    return page(reply, blockedPage({ email }))
  })
}

/** "No recibir más invitaciones": one button, because a mail scanner may open the link. */
const blockPage = ({ token, email }: { token: string; email: string }) => (
  <NarrowPage
    title="No recibir más invitaciones"
    lead={
      <>
        Ninguna app podrá enviar invitaciones de <BrandName /> a <strong>{email}</strong>. Si ya tiene una cuenta, sigue
        como está.
      </>
    }
  >
    <PostButton action={`/baja/${token}`}>No recibir más</PostButton>
  </NarrowPage>
)

const blockedPage = ({ email }: { email: string }) => (
  <NarrowPage
    title="Listo"
    lead={
      <>
        No se enviarán más invitaciones a <strong>{email}</strong>. Si cambia de idea, escriba a atención al cliente.
      </>
    }
  />
)

const unknownBlockPage = () => (
  <NarrowPage
    title="No reconocemos este enlace"
    lead="Puede que el correo lo haya cortado. Ábralo desde el correo, o cópielo entero en la barra de direcciones. Si sigue sin servir, escriba a atención al cliente y lo hacemos por usted."
  />
)
