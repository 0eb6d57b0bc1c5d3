import type { ComponentChildren } from 'preact'
import type { Support } from '../../mail/content.ts'
import type { ReadInvitation } from '../../resources/agencias/register.ts'
import { Layout } from '../layout.tsx'

export type Dead = Extract<ReadInvitation, { kind: 'used' | 'expired' | 'unknown' }>

/** A link that does not register anybody: why, and what to do instead. */
export function deadInvitationPage({ read, support }: { read: Dead; support: Support }) {
  const { title, text, act } = explain(read)
  return (
    <Layout title={title} visitor="unknown" support={support}>
      <div class="narrow">
        <header class="lead">
          <h1>{title}</h1>
          <p>{text}</p>
        </header>
        {act}
      </div>
    </Layout>
  )
}

const Enter = () => (
  <p class="row">
    <a class="button" href="/entrar">
      Entrar
    </a>
    <a class="button secondary" href="/clave">
      Olvidé mi clave
    </a>
  </p>
)

function explain(read: Dead): { title: string; text: ComponentChildren; act: ComponentChildren } {
  if (read.kind === 'used')
    return {
      title: 'Esta invitación ya se usó',
      text: `La agencia está registrada. Para verla, entre con el correo al que llegó la invitación y la clave que eligió.`,
      act: <Enter />,
    }
  if (read.kind === 'unknown')
    return {
      title: 'No reconocemos este enlace',
      text: 'Puede que el correo lo haya cortado, o que haya llegado después otra invitación, que reemplaza a esta.',
      act: (
        <ul>
          <li>Abra el enlace desde el correo más reciente, o cópielo entero en la barra de direcciones.</li>
          <li>Si no lo encuentra, pida a quien le invitó que le envíe otra invitación.</li>
          <li>
            Si ya registró la agencia, <a href="/entrar">entre a su cuenta</a>.
          </li>
        </ul>
      ),
    }
  const { app, estado } = read
  if (estado === 'vencida')
    return {
      title: 'Esta invitación venció',
      text: `Las invitaciones valen 14 días. Pida a ${app.nombre} que le envíe otra: llega en un momento y reemplaza a esta.`,
      act: null,
    }
  return {
    title: 'Esta invitación ya no vale',
    text: `${app.nombre} la retiró. Si cree que es un error, pídale que le envíe otra.`,
    act: null,
  }
}
