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

/** An inquiry's own data on the pages of one inquiry and in the agency's CSV, beside person and car. */
export const CONSULTA_COLUMNS: { head: string; text(row: Consulta): string | null }[] = [
  { head: 'Llegó por', text: ({ origenLead }) => ORIGEN_LABELS[origenLead] },
  { head: 'A cargo de', text: ({ operador }) => operador },
]

export const consultaFacts = (consulta: Consulta): [string, string | null][] =>
  CONSULTA_COLUMNS.map(({ head, text }) => [head, text(consulta)])

export const INTERES_LABELS: Record<NonNullable<Interesado['Interes']>, string> = {
  compra: 'Comprar',
  financiacion: 'Financiar',
  permuta: 'Permutar',
  'prueba-de-manejo': 'Prueba de manejo',
  otro: 'Otro',
}

export const EstadoBadge = ({ estado }: { estado: EstadoConsulta }) => (
  <span class={`badge estado-${estado}`}>{ESTADO_LABELS[estado]}</span>
)

/** Only a person whose data were erased has no interest (docs/decisions.md). */
export const isErased = (row: Pick<Consulta, 'interesado'>): boolean => interesadoOf(row).Interes === null

export function personName(row: Pick<Consulta, 'interesado'>): string {
  if (isErased(row)) return 'Persona suprimida'
  const { Nombre, Apellido, Email, Telefono } = interesadoOf(row)
  return [Nombre, Apellido].filter(Boolean).join(' ') || Email || Telefono || 'Sin nombre'
}

export const consultaCar = (row: Pick<Consulta, 'auto'>): string => carName(autoOf(row))

export const publicacionName = ({ marca, modelo, version, versionYear }: Publicacion): string =>
  [marca, modelo, version, versionYear].filter(Boolean).join(' ')

export const SUSPENSION_LABELS: Record<Suspension, string> = {
  mercado: 'Lo suspendió el mercado',
  agencia: 'Lo suspendió la agencia',
  desasociada: 'La app ya no trabaja con la agencia',
  paquete: 'El paquete no tiene lugar',
  app: 'La app lo suspendió',
}

/** Each reason in a paragraph, the marketplace's with its text. */
export const SuspensionReasons = ({ suspensiones, motivo }: Pick<Publicacion, 'suspensiones' | 'motivo'>) => (
  <>
    {suspensiones.map((reason) => (
      <p key={reason}>
        {SUSPENSION_LABELS[reason]}
        {reason === 'mercado' && motivo ? `: ${motivo}` : '.'}
      </p>
    ))}
  </>
)
