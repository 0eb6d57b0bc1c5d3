import type { FastifyInstance } from 'fastify'
import type { Support } from '../../mail/content.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import { blockInvitations, readBlockToken } from '../../resources/agencias/invitation-limits.ts'
import { CONFIRMATION } from '../form.ts'
import { Layout } from '../layout.tsx'
import { HIDDEN, page } from '../page.ts'
import { PostButton } from '../parts.tsx'
import type { ByToken, PageDeps } from '../signed-in.ts'

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

interface BlockProps {
  token: string
  email: string
  support: Support
}

/** "No recibir más invitaciones": one button, because a mail scanner may open the link. */
const blockPage = ({ token, email, support }: BlockProps) => (
  <Layout title="No recibir más invitaciones" visitor="unknown" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>No recibir más invitaciones</h1>
        <p>
          Ninguna app podrá enviar invitaciones de Rodado a <strong>{email}</strong>. Si ya tiene una cuenta, sigue como
          está.
        </p>
      </header>
      <PostButton action={`/baja/${token}`}>No recibir más</PostButton>
    </div>
  </Layout>
)

const blockedPage = ({ email, support }: Omit<BlockProps, 'token'>) => (
  <Layout title="Listo" visitor="unknown" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>Listo</h1>
        <p>
          No se enviarán más invitaciones a <strong>{email}</strong>. Si cambia de idea, escriba a atención al cliente.
        </p>
      </header>
    </div>
  </Layout>
)

const unknownBlockPage = ({ support }: { support: Support }) => (
  <Layout title="No reconocemos este enlace" visitor="unknown" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>No reconocemos este enlace</h1>
        <p>
          Puede que el correo lo haya cortado. Ábralo desde el correo, o cópielo entero en la barra de direcciones. Si
          sigue sin servir, escriba a atención al cliente y lo hacemos por usted.
        </p>
      </header>
    </div>
  </Layout>
)
