import type { Agencia } from '../resources/agencias/agencia.ts'
import { formatCampo } from '../resources/agencias/labels.ts'
import { type Fact, Facts } from './facts.tsx'

/** What the agency says of itself, as apps and the marketplace show it. */
export function AgencyData({ agencia, country }: { agencia: Agencia; country: string }) {
  const { direccion, codigoPostal, ciudad, region } = agencia
  const place = [direccion, codigoPostal, ciudad, region].filter(Boolean).join(', ')
  const rows: Fact[] = [
    [formatCampo('Nombre', country), agencia.nombre],
    [formatCampo('AdminMail', country), agencia.adminMail],
    [formatCampo('RazonSocial', country), agencia.razonSocial],
    [formatCampo('IdFiscal', country), agencia.idFiscal],
    [formatCampo('Telefono', country), agencia.telefono],
    [formatCampo('WhatsApp', country), agencia.whatsapp],
    [formatCampo('SitioWeb', country), agencia.sitioWeb],
    [formatCampo('Direccion', country), place],
  ]
  return <Facts rows={rows} />
}
