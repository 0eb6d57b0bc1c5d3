import type { App } from '../apps/app.ts'
import { t, textOrElse } from '../i18n/messages.tsx'
import { storedTexts } from '../i18n/stored.ts'
import { autoOf, type Consulta, type EstadoConsulta, interesadoOf } from '../resources/consultas/consulta.ts'
import { carName } from '../resources/consultas/labels.ts'
import type { Publicacion } from '../resources/publicaciones/publicacion.ts'

/** An inquiry's own data on the pages of one inquiry and in the agency's CSV, beside person and car. */
export const consultaColumns = (): { head: string; text(row: Consulta): string | null }[] => [
  { head: t('comun.consulta.origin'), text: ({ origenLead }) => t(`comun.origen.${origenLead}`) },
  { head: t('comun.consulta.assigned'), text: ({ operador }) => operador },
]

export const consultaFacts = (consulta: Consulta): [string, string | null][] =>
  consultaColumns().map(({ head, text }) => [head, text(consulta)])

export const formatInterest = ({ Interes }: ReturnType<typeof interesadoOf>): string | null =>
  Interes && t(`comun.interes.${Interes}`)

/** Apps to choose from. A partner's two apps, for production and for tests, often have the same name. */
export const appChoices = (apps: readonly Pick<App, 'appKey' | 'nombre' | 'modo'>[]) =>
  apps.map(
    ({ appKey, nombre, modo }) =>
      [appKey, modo === 'prueba' ? `${nombre} (${t('comun.shell.test')})` : nombre] as const,
  )

export const ConsultaEstadoBadge = ({ estado }: { estado: EstadoConsulta }) => (
  <span class={`badge estado-${estado}`}>{t(`comun.estado.${estado}`)}</span>
)

/** Only a person whose data were erased has no interest (docs/decisions/reading-inquiries.md). */
export const isErased = (row: Pick<Consulta, 'interesado'>): boolean => interesadoOf(row).Interes === null

export function personName(row: Pick<Consulta, 'interesado'>): string {
  if (isErased(row)) return t('comun.consulta.erased')
  const { Nombre, Apellido, Email, Telefono } = interesadoOf(row)
  return [Nombre, Apellido].filter(Boolean).join(' ') || Email || Telefono || t('comun.consulta.unnamed')
}

export const consultaCar = (row: Pick<Consulta, 'auto'>): string => carName(autoOf(row))

export const publicacionName = ({ marca, modelo, version, versionYear }: Publicacion): string =>
  [marca, modelo, version, versionYear].filter(Boolean).join(' ')

/** What our catalogue knows, by name; what only a marketplace's catalogue or an app knows is shown as it is. */
export const catalogueLabel = (
  kind: 'body' | 'colour' | 'fuel' | 'transmission',
  value: string | null,
): string | null => textOrElse(`aviso.${kind}.${value}`, value)

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
        {t(`comun.suspension.${reason}`)}
        {reason === 'mercado' && motivo ? `: ${translateReason(motivo)}` : '.'}
      </p>
    ))}
  </>
)
