import { Copyable } from '../../copy.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { SECTION } from './page.tsx'

/** The one page that shows a new secret. */
export const madePage = ({ ctx, secret, former }: { ctx: PortalContext; secret: string; former: boolean }) => (
  <PortalPage
    ctx={ctx}
    section={SECTION}
    title="Su clave nueva"
    script
    above={{ href: ctx.at + SECTION, label: 'Claves' }}
  >
    <div class="shown-once">
      <p>
        <strong>AppSecret</strong>
      </p>
      <p>
        <Copyable id="secreto" what="el AppSecret">
          {secret}
        </Copyable>
      </p>
      <p class="hint">Guárdelo ahora en un lugar seguro: no se vuelve a mostrar.</p>
    </div>
    <h2>Ahora</h2>
    <ol>
      <li>Póngalo en su sistema en lugar del anterior. Ya sirve.</li>
      {former && <li>Cuando todo use el nuevo, revoque el anterior en Claves. Hasta entonces sirven los dos.</li>}
    </ol>
    <p>
      <a class="button" href={ctx.at + SECTION}>
        Ya lo guardé
      </a>
    </p>
  </PortalPage>
)
