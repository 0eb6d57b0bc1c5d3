import type { Sitio } from '../../../sitios/sitio.ts'
import { CopyCode } from '../../copy.tsx'
import { Secret } from '../../secret.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { SITIOS } from './list-page.tsx'

interface Props {
  ctx: ConsoleContext
  sitio: Sitio
  sitioKey: string
  publicUrl: string
}

/** The one page that shows a site's key. */
export const sitioMadePage = ({ ctx, sitio, sitioKey, publicUrl }: Props) => (
  <ConsolePage ctx={ctx} title={sitio.nombre} current={SITIOS} script above={{ href: SITIOS, label: 'Sitios' }}>
    <Secret label="SitioKey" value={sitioKey} />
    <p>El sitio la envía en cada pedido, como Bearer:</p>
    <CopyCode id="curl" label="Probar la clave" what="el comando">
      {`curl -H 'Authorization: Bearer ${sitioKey}' \\\n  ${publicUrl}/interno/v1/avisos`}
    </CopyCode>
    <p>
      <a class="button" href={SITIOS}>
        Ya la guardé
      </a>
    </p>
  </ConsolePage>
)
