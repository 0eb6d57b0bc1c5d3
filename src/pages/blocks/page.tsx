import type { Support } from '../../mail/content.ts'
import { Layout } from '../layout.tsx'

interface BlockProps {
  token: string
  email: string
  support: Support
}

/** "No recibir más invitaciones": one button, because a mail scanner may open the link. */
export const blockPage = ({ token, email, support }: BlockProps) => (
  <Layout title="No recibir más invitaciones" visitor="unknown" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>No recibir más invitaciones</h1>
        <p>
          Ninguna app podrá enviar invitaciones de Rodado a <strong>{email}</strong>. Si ya tiene una cuenta, sigue como
          está.
        </p>
      </header>
      <form method="post" action={`/baja/${token}`}>
        <button type="submit">No recibir más</button>
      </form>
    </div>
  </Layout>
)

export const blockedPage = ({ email, support }: Omit<BlockProps, 'token'>) => (
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

export const unknownBlockPage = ({ support }: { support: Support }) => (
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
