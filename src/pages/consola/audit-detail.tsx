import { labels, t, textOrElse } from '../../i18n/messages.tsx'

const MAX_LISTED = 3

/** Details whose label is a text of another page. The labels of the rest are in `consola.audit.name`, or the stored name itself. */
const DETAIL_NAMES: Readonly<Record<string, string>> = labels({
  abierta: 'bandeja.open.label',
  adminMail: 'consola.head.agency',
  agencia: 'consola.head.agency',
  agencias: 'consola.agencies.title',
  alta: 'comun.package.exposure.Alta',
  app: 'consola.head.app',
  apps: 'consola.erasure.fact.apps',
  baja: 'comun.package.exposure.Baja',
  clave: 'consola.sites.key',
  consultas: 'consola.erasure.fact.inquiries',
  consultasDeOtros: 'comun.permission.consultasDeOtros.label',
  correos: 'consola.erasure.fact.emails',
  desde: 'entregas.filter.from',
  destino: 'entregas.filter.destino',
  editar: 'comun.permission.editar.label',
  estado: 'consola.head.state',
  evento: 'comun.palette.evento',
  eventos: 'consola.erasure.fact.events',
  firma: 'portal.webhooks.signature',
  formulario: 'comun.origen.form',
  hasta: 'entregas.filter.until',
  imagenes: 'marca.images',
  invitaciones: 'consola.invitations.title',
  invitesPerDay: 'consola.app.limit.invitesPerDay',
  media: 'comun.package.exposure.Media',
  metodo: 'portal.calls.method',
  modo: 'consola.head.mode',
  motivo: 'consola.app.reason',
  nombre: 'consola.head.name',
  objetivoMinutos: 'consola.audit.name.minutos',
  paquete: 'consola.package.title',
  q: 'entregas.filter.q',
  rateBurst: 'consola.app.limit.rateBurst',
  ratePerSecond: 'consola.app.limit.ratePerSecond',
  regla: 'bandeja.sharing.rule',
  relacionadas: 'consola.erasure.fact.related',
  respuestas: 'consola.erasure.fact.answers',
  revocaLasAnteriores: 'consola.apps.keys.revokeAll',
  rol: 'registro.team.rol',
  ruta: 'portal.calls.path',
  sids: 'consola.inquiries.title',
  sitio: 'consola.sites.site',
  temas: 'consola.app.topics',
  tipo: 'consola.mail.type',
  titulo: 'consola.incidents.heading',
  topic: 'entregas.topic',
  topics: 'consola.app.topics',
})

/** Where the words for the values of a detail are; those of `estado` are by the section of the act. */
const VALUE_AREAS: Readonly<Record<string, string>> = {
  'consultas estado': 'comun.estado',
  'correos estado': 'consola.mail.state',
  'entregas estado': 'entregas.filter',
  'incidente estado': 'estado.incident',
  'invitaciones estado': 'consola.invitation.estado',
  firma: 'portal.webhooks.signing',
  imagenes: 'marca.image',
  modo: 'consola.modo',
  paquete: 'consola.agencies.package',
  regla: 'bandeja.rule',
  rol: 'registro.team.rol',
  tipo: 'consola.mail.kind',
}

/** The words for other stored values, by the name of the detail. */
const VALUES: Readonly<Record<string, string>> = labels({
  'formulario rechazado': 'consola.audit.value.rechazado',
  'temas todos': 'consola.audit.value.todos',
})

/** The details of an entry, by name; a long list is folded under its count. */
export const AuditDetail = ({ act, detail }: { act: string; detail: Record<string, unknown> }) => (
  <div class="hint wrap-anywhere">
    {Object.entries(detail)
      .filter(([, value]) => value !== null && value !== '' && value !== false)
      .map(([name, value]) => {
        const own = textOrElse(`consola.audit.name.${name}`, name)
        const label = Object.hasOwn(DETAIL_NAMES, name) ? DETAIL_NAMES[name] : own
        const shown = [value].flat().map((each) => formatValue(act, name, each))
        return shown.length > MAX_LISTED ? (
          <details key={name}>
            <summary>
              {label}: {shown.length}
            </summary>
            {shown.join(', ')}
          </details>
        ) : (
          <div key={name}>
            {label}: {shown.length === 0 ? 0 : shown.join(', ')}
          </div>
        )
      })}
  </div>
)

function formatValue(act: string, name: string, value: unknown): string {
  if (value === true) return t('cuenta.listings.yes')
  if (typeof value === 'object') return JSON.stringify(value)
  const area = VALUE_AREAS[name] ?? VALUE_AREAS[`${act.split('.')[0]} ${name}`]
  return textOrElse(`${area}.${value}`, VALUES[`${name} ${value}`] ?? String(value))
}
