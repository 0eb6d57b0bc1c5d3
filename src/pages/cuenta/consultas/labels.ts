import type { EstadoConsulta, InfoOperacion, Interesado, OrigenLead } from '../../../resources/consultas/consulta.ts'
import { money } from '../../../resources/consultas/labels.ts'

/** States of the work, in the words of those who do it. */
export const ESTADO_LABELS: Record<EstadoConsulta, string> = {
  nueva: 'Nueva',
  leida: 'Leída',
  contactada: 'Contactada',
  vendida: 'Vendida',
  descartada: 'Descartada',
}

export const ORIGEN_LABELS: Record<OrigenLead, string> = {
  form: 'Formulario',
  whatsapp: 'WhatsApp',
  telefono: 'Teléfono',
  chat: 'Chat',
  email: 'Correo',
  otro: 'Otro',
}

export const INTERES_LABELS: Record<NonNullable<Interesado['Interes']>, string> = {
  compra: 'Comprar',
  financiacion: 'Financiar',
  permuta: 'Permutar',
  'prueba-de-manejo': 'Prueba de manejo',
  otro: 'Otro',
}

/** A sum as the letters write it too. */
export const formatMoney = money

/** What a person wrote of the deal, a line each. */
export function formatOperation(info: InfoOperacion | null): [string, string][] {
  const { EntregaVehiculo: offered, FinanciacionDeseada: finance, QuiereCotizacionSeguro: insurance } = info ?? {}
  const rows: [string, string | undefined][] = [
    ['Entrega', offered ? [offered.Marca, offered.Modelo, offered.VersionYear].filter(Boolean).join(' ') : undefined],
    ['Adelanto', finance?.Adelanto ? formatMoney(finance.Adelanto) : undefined],
    ['Cuota que busca', finance?.Cuota ? formatMoney(finance.Cuota) : undefined],
    ['Cotización de seguro', insurance ? 'La pide' : undefined],
  ]
  return rows.filter((row): row is [string, string] => row[1] !== undefined)
}
