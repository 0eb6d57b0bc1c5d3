import { Copyable } from '../../copy.tsx'
import { PortalPage, type PortalVisit } from '../visit.tsx'
import { SECTION } from './page.tsx'

/** The one page that shows a new secret. */
export const madePage = ({ visit, secret, former }: { visit: PortalVisit; secret: string; former: boolean }) => (
  <PortalPage
    visit={visit}
    section={SECTION}
    title="Su clave nueva"
    script
    above={{ href: visit.at + SECTION, label: 'Claves' }}
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
      <a class="button" href={visit.at + SECTION}>
        Ya lo guardé
      </a>
    </p>
  </PortalPage>
)
