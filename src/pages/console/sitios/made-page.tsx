import type { Sitio } from '../../../sitios/sitio.ts'
import { Code } from '../../parts.tsx'
import { Secret } from '../../secret.tsx'
import { ConsolePage, type Visit } from '../visit.tsx'
import { SITIOS } from './list-page.tsx'

interface Props {
  visit: Visit
  sitio: Sitio
  sitioKey: string
  publicUrl: string
}

/** The one page that shows a site's key. */
export const sitioMadePage = ({ visit, sitio, sitioKey, publicUrl }: Props) => (
  <ConsolePage visit={visit} title={sitio.nombre} current={SITIOS} above={{ href: SITIOS, label: 'Sitios' }}>
    <Secret label="SitioKey" value={sitioKey} />
    <p>El sitio la envía en cada pedido, como Bearer:</p>
    <Code label="Probar la clave">{`curl -H 'Authorization: Bearer ${sitioKey}' ${publicUrl}/interno/v1/avisos`}</Code>
    <p>
      <a class="button" href={SITIOS}>
        Ya la guardé
      </a>
    </p>
  </ConsolePage>
)
