import type { Agencia } from '../../resources/agencias/agencia.ts'
import { campoInWords } from '../../resources/agencias/words.ts'
import { type Fact, Facts } from '../facts.tsx'

/** What the agency says of itself, as apps and the marketplace show it. */
export function AgencyData({ agencia, country }: { agencia: Agencia; country: string }) {
  const { direccion, codigoPostal, ciudad, region } = agencia
  const place = [direccion, codigoPostal, ciudad, region].filter(Boolean).join(', ')
  const rows: Fact[] = [
    [campoInWords('Nombre', country), agencia.nombre],
    [campoInWords('AdminMail', country), agencia.adminMail],
    [campoInWords('RazonSocial', country), agencia.razonSocial],
    [campoInWords('IdFiscal', country), agencia.idFiscal],
    [campoInWords('Telefono', country), agencia.telefono],
    [campoInWords('WhatsApp', country), agencia.whatsapp],
    [campoInWords('SitioWeb', country), agencia.sitioWeb],
    [campoInWords('Direccion', country), place],
  ]
  return <Facts rows={rows} />
}
