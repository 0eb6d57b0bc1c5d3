import { Copyable } from '../../copy.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { SECTION } from './list-page.tsx'

interface Props {
  ctx: PortalContext
  /** Those that have it, the one it was made for first. */
  topics: readonly string[]
  /** The secret that was made; undefined where the app has its own, or none. */
  secret: string | undefined
  /** Whether it takes the place of another, which signs beside it for a day. */
  replaces?: boolean
}

/** What follows a configuration: the secret, this once, and the first test. */
export function madePage({ ctx, topics, secret, replaces = false }: Props) {
  const [topic = ''] = topics
  const here = `${ctx.at}${SECTION}/${topic}`
  return (
    <PortalPage
      ctx={ctx}
      section={SECTION}
      title={secret ? 'Su Secret' : 'El webhook está configurado'}
      script
      above={{ href: here, label: topic }}
      lead={topics.length > 1 && <p>Sirve para {topics.join(', ')}.</p>}
    >
      {secret && (
        <div class="shown-once">
          <p>
            <strong>Secret</strong>
          </p>
          <p>
            <Copyable id="secreto" what="el Secret">
              {secret}
            </Copyable>
          </p>
          <p class="hint">
            Guárdelo ahora: no se vuelve a mostrar. Con él su servidor comprueba que cada notificación es nuestra.{' '}
            <a href="/docs/guia/verificar">Cómo se comprueba</a>
          </p>
        </div>
      )}
      {replaces ? (
        <p>
          Durante 24 horas cada notificación va firmada con los dos, el anterior y este: cámbielo en su servidor sin
          apuro.
        </p>
      ) : (
        <p>Cuando su servidor esté listo, envíele una notificación de prueba y vea qué contesta.</p>
      )}
      <div class="row">
        <form method="post" action={`${here}/prueba`}>
          <button type="submit">Enviar una notificación de prueba</button>
        </form>
        <a class="button secondary" href={here}>
          Ir al webhook
        </a>
      </div>
    </PortalPage>
  )
}
