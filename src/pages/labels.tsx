import { hasMessage, labels, t } from '../i18n/messages.tsx'
import { storedTexts } from '../i18n/stored.ts'
import {
  autoOf,
  type Consulta,
  type EstadoConsulta,
  interesadoOf,
  type OrigenLead,
} from '../resources/consultas/consulta.ts'
import { carName } from '../resources/consultas/labels.ts'
import type { Interesado } from '../resources/consultas/person.ts'
import type { Publicacion, Suspension } from '../resources/publicaciones/publicacion.ts'

/** States of an inquiry, as dealerships call them. */
export const ESTADO_LABELS: Record<EstadoConsulta, string> = labels({
  nueva: 'comun.estado.nueva',
  leida: 'comun.estado.leida',
  contactada: 'comun.estado.contactada',
  vendida: 'comun.estado.vendida',
  descartada: 'comun.estado.descartada',
})

export const ORIGEN_LABELS: Record<OrigenLead, string> = labels({
  form: 'comun.origen.form',
  whatsapp: 'comun.origen.whatsapp',
  telefono: 'comun.origen.telefono',
  chat: 'comun.origen.chat',
  email: 'comun.origen.email',
  otro: 'comun.origen.otro',
})

/** An inquiry's own data on the pages of one inquiry and in the agency's CSV, beside person and car. */
export const consultaColumns = (): { head: string; text(row: Consulta): string | null }[] => [
  { head: t('comun.consulta.origin'), text: ({ origenLead }) => ORIGEN_LABELS[origenLead] },
  { head: t('comun.consulta.assigned'), text: ({ operador }) => operador },
]

export const consultaFacts = (consulta: Consulta): [string, string | null][] =>
  consultaColumns().map(({ head, text }) => [head, text(consulta)])

export const INTERES_LABELS: Record<NonNullable<Interesado['Interes']>, string> = labels({
  compra: 'comun.interes.compra',
  financiacion: 'comun.interes.financiacion',
  permuta: 'comun.interes.permuta',
  'prueba-de-manejo': 'comun.interes.prueba-de-manejo',
  otro: 'comun.interes.otro',
})

export const EstadoBadge = ({ estado }: { estado: EstadoConsulta }) => (
  <span class={`badge estado-${estado}`}>{ESTADO_LABELS[estado]}</span>
)

/** Only a person whose data were erased has no interest (docs/decisions.md). */
export const isErased = (row: Pick<Consulta, 'interesado'>): boolean => interesadoOf(row).Interes === null

export function personName(row: Pick<Consulta, 'interesado'>): string {
  if (isErased(row)) return t('comun.consulta.erased')
  const { Nombre, Apellido, Email, Telefono } = interesadoOf(row)
  return [Nombre, Apellido].filter(Boolean).join(' ') || Email || Telefono || t('comun.consulta.unnamed')
}

export const consultaCar = (row: Pick<Consulta, 'auto'>): string => carName(autoOf(row))

export const publicacionName = ({ marca, modelo, version, versionYear }: Publicacion): string =>
  [marca, modelo, version, versionYear].filter(Boolean).join(' ')

/** What the catalogue knows, by name; other texts are shown as they are. */
export const catalogueLabel = (kind: 'fuel' | 'transmission', value: string | null): string | null => {
  const key = `aviso.${kind}.${value}`
  return hasMessage(key) ? t(key) : value
}

export const SUSPENSION_LABELS: Record<Suspension, string> = labels({
  mercado: 'comun.suspension.mercado',
  agencia: 'comun.suspension.agencia',
  desasociada: 'comun.suspension.desasociada',
  paquete: 'comun.suspension.paquete',
  app: 'comun.suspension.app',
})

/** What the marketplace usually finds wrong. Stored in Spanish, because apps read it in `Motivo`. */
export const RAZONES = [
  'comun.suspension.reason.photos',
  'comun.suspension.reason.contacts',
  'comun.suspension.reason.price',
  'comun.suspension.reason.sold',
  'comun.suspension.reason.data',
  'comun.suspension.reason.repeated',
  'comun.suspension.reason.text',
] as const

const translateReason = storedTexts(RAZONES)

/** Each reason in a paragraph, the marketplace's with its text. */
export const SuspensionReasons = ({ suspensiones, motivo }: Pick<Publicacion, 'suspensiones' | 'motivo'>) => (
  <>
    {suspensiones.map((reason) => (
      <p key={reason}>
        {SUSPENSION_LABELS[reason]}
        {reason === 'mercado' && motivo ? `: ${translateReason(motivo)}` : '.'}
      </p>
    ))}
  </>
)
