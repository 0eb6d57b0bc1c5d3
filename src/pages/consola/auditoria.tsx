import { fullName, MAIL_CHARACTERS } from '../../accounts/account.ts'
import { type AuditEntry, type Audited, knownActs, listAudit, VIAS } from '../../accounts/audit.ts'
import { findAccounts } from '../../accounts/store.ts'
import { addDays, startOfDay } from '../../http/dates.ts'
import { dayFilter, loadedFilter, selectFilter, textFilter } from '../filter.tsx'
import { defineList, numberedPage } from '../list.tsx'
import { momentColumn } from '../table.tsx'
import { CONSOLE } from './context.tsx'

/** Where somebody was when they did it. */
const VIA_NAMES: Record<Audited['via'], string> = {
  consola: 'Consola',
  portal: 'Portal',
  agencia: 'Cuenta de agencia',
  comando: 'Línea de comandos',
}

/** Acts as people tell them; one without words is shown as it is written. */
const ACTS: Record<string, string> = {
  'agencia.administrador': 'Cambió el administrador',
  'agencia.asociar': 'Asoció una app a una agencia',
  'agencia.desasociar': 'Terminó una asociación',
  'agencia.leer': 'Miró una agencia',
  'agencia.paquete': 'Cambió un paquete',
  'agencia.permisos': 'Cambió lo que una app puede hacer',
  'agencia.quitar-persona': 'Quitó a una persona de una agencia',
  'agencias.listar': 'Buscó agencias',
  'api.probar': 'Probó la API',
  'app.clave-nueva': 'Hizo una clave de app',
  'app.clave-revocada': 'Revocó una clave de app',
  'app.crear': 'Creó una app',
  'app.datos': 'Cambió los datos de una app',
  'app.deshabilitar': 'Deshabilitó una app',
  'app.equipo-invitar': 'Invitó al equipo de una app',
  'app.equipo-quitar': 'Quitó del equipo de una app',
  'app.equipo-retirar': 'Retiró una invitación al equipo de una app',
  'app.habilitar': 'Habilitó una app',
  'app.leer': 'Miró una app',
  'app.limites': 'Cambió límites de una app',
  'app.temas': 'Cambió los temas de una app',
  'auditoria.listar': 'Miró la auditoría',
  'auditoria.bajar': 'Bajó la auditoría',
  'aviso.reactivar': 'Reactivó un aviso',
  'aviso.suspender': 'Suspendió un aviso',
  'codigo-de-recuperacion.usar': 'Entró con un código de recuperación',
  'codigos-de-recuperacion.renovar': 'Hizo códigos de recuperación',
  'consulta.leer': 'Leyó una consulta',
  'consulta.reenviar': 'Reenvió una consulta a una app',
  'consultas.buscar-persona': 'Buscó consultas de una persona',
  'consultas.listar': 'Buscó consultas',
  'correo.leer': 'Leyó un correo',
  'correo.reenviar': 'Envió otra vez un correo',
  'correos.bajar': 'Bajó la lista de correos',
  'correos.leer': 'Leyó correos',
  'correos.listar': 'Buscó correos',
  'entrega.leer': 'Leyó una entrega',
  'entrega.reenviar': 'Reenvió una entrega',
  'entregas.reenviar': 'Reenvió varias entregas',
  'equipo.crear': 'Creó a alguien del equipo de una app',
  'equipo.invitar': 'Invitó al equipo de su app',
  'equipo.quitar': 'Quitó del equipo de su app',
  'equipo.retirar-invitacion': 'Retiró una invitación a su equipo',
  'equipo.rol': 'Cambió un rol en su equipo',
  'equipo.sumarse': 'Se sumó al equipo de una app',
  'evento.leer': 'Leyó un evento',
  'invitacion.reenviar': 'Reenvió una invitación',
  'invitacion.revocar': 'Revocó una invitación',
  'invitaciones.listar': 'Buscó invitaciones',
  'personal.crear': 'Creó a alguien del personal',
  'personal.invitar': 'Invitó al personal',
  'personal.quitar': 'Quitó a alguien del personal',
  'personal.retirar': 'Retiró una invitación al personal',
  'personal.sumarse': 'Se sumó al personal',
  'segundo-paso.cambiar': 'Cambió de teléfono',
  'segundo-paso.configurar': 'Configuró su segundo paso',
  'segundo-paso.fallido': 'Escribió un código equivocado',
  'segundo-paso.limite': 'Llegó al límite de códigos equivocados',
  'segundo-paso.reiniciar': 'Reinició el segundo paso de alguien',
  'sesion.abrir': 'Entró',
  'sitio.crear': 'Creó un sitio',
  'sitio.revocar': 'Revocó la clave de un sitio',
  'supresion.prever': 'Miró qué alcanzaría una supresión',
  suprimir: 'Suprimió a una persona',
  'webhook.configurar': 'Configuró un webhook',
  'webhook.editar': 'Cambió un webhook',
  'webhook.eliminar': 'Eliminó un webhook',
  'webhook.firma-falsa': 'Envió un aviso con firma falsa',
  'webhook.prueba': 'Envió una notificación de prueba',
  'webhook.secret': 'Cambió el secret de un webhook',
}

export const formatAct = (act: string): string => (Object.hasOwn(ACTS, act) ? (ACTS[act] as string) : act)

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/

/** The page of what an entry is about, where there is one. */
export function pageOf(act: string, subject: string): string | undefined {
  const [section] = act.split('.')
  if (act === 'suprimir' || section === 'supresion')
    return ULID.test(subject) ? `/consola/supresiones/${subject}` : undefined
  if (section === 'consulta' && ULID.test(subject)) return `/consola/consultas/${subject}`
  if (section === 'entrega' && ULID.test(subject)) return `/consola/entregas/${subject}`
  if (section === 'app' && /^[0-9a-f]{32}$/.test(subject)) return `/consola/apps/${subject}`
  const email = /^correo (\d+)$/.exec(subject)?.[1]
  return email && `/consola/correos/${email}`
}

const AUDITORIA = '/consola/auditoria'
/** No account has it: a search for somebody unknown finds nothing. */
const NOBODY = 0
/** No day comes after it. */
const LAST_DAY = '9999-12-31'

/** Reads of personal data, and every act of the staff. */
export const AUDITORIA_LIST = defineList({
  audience: CONSOLE,
  section: AUDITORIA,
  title: 'Auditoría',
  lead: () => <p>Quién miró datos de personas, y todo lo que hizo el personal. Nadie puede cambiarla.</p>,
  filters: {
    quien: textFilter('Quién (correo exacto)', { maxlength: MAIL_CHARACTERS }),
    acto: loadedFilter('Acto', 'Todos'),
    via: selectFilter(
      'Desde dónde',
      'Todos',
      VIAS.map((via) => [via, VIA_NAMES[via]] as const),
    ),
    sobre: textFilter('Sobre (id exacto)'),
    desde: dayFilter('Desde'),
    hasta: dayFilter('Hasta'),
  },
  load: async ({ store, config: { timeZone } }, request) => {
    const { quien, via, acto: act, sobre: subject, desde, hasta } = request.filters
    await request.ctx.audit(request.csv ? 'auditoria.bajar' : 'auditoria.listar', '') // first: it is listed too
    // One address may have an account in production and one in test: the first is production's.
    const accountId = quien === undefined ? undefined : ((await findAccounts(store, quien))[0]?.id ?? NOBODY)
    const wanted = {
      ...{ accountId, via, act, subject },
      desde: desde ? startOfDay(desde, timeZone) : undefined,
      hasta: hasta && hasta < LAST_DAY ? startOfDay(addDays(hasta, 1), timeZone) : undefined,
    }
    const [found, acts] = await Promise.all([
      numberedPage(request, (cursor) => listAudit(store, wanted, cursor)),
      knownActs(store),
    ])
    const acto = acts.map((each) => [each, formatAct(each)] as const).sort(([, a], [, b]) => a.localeCompare(b, 'es'))
    return { ...found, choices: { acto } }
  },
  idOf: ({ id }) => id,
  columns: (ctx) => [
    momentColumn('Cuándo', ctx, ({ at }) => at),
    {
      head: 'Quién',
      cell: ({ account, via }) => (
        <div>
          {account && <span title={account.email}>{fullName(account)}</span>}
          <div class="hint">{VIA_NAMES[via]}</div>
        </div>
      ),
      text: ({ account }) => account?.email ?? '',
    },
    { head: 'Qué hizo', cell: ({ act }) => formatAct(act), text: ({ act }) => act },
    { head: 'Sobre', cell: (entry) => <Subject {...entry} />, text: ({ subject }) => subject },
    {
      head: 'Detalle',
      cell: ({ detail }) => detail && <Detail detail={detail} />,
      text: ({ detail }) => (detail ? JSON.stringify(detail) : ''),
    },
    { head: 'Desde dónde', text: ({ via }) => via },
  ],
  empty: { none: 'Todavía no pasó nada que anotar.', noMatch: 'No hay nada así.', all: 'Ver todo' },
  csvName: 'auditoria',
})

function Subject({ act, subject, about }: AuditEntry) {
  if (!subject) return null
  if (about) return <span title={about.email}>{fullName(about)}</span>
  const href = pageOf(act, subject)
  const shown = <code class="wrap-anywhere">{subject}</code>
  return href ? <a href={href}>{shown}</a> : shown
}

/** The details of an entry, by name; a long list is folded under its count. */
const Detail = ({ detail }: { detail: Record<string, unknown> }) => (
  <div class="hint wrap-anywhere">
    {Object.entries(detail)
      .filter(([, value]) => value !== null && value !== '' && value !== false)
      .map(([name, value]) =>
        Array.isArray(value) && value.length > MOST_LISTED ? (
          <details key={name}>
            <summary>
              {name}: {value.length}
            </summary>
            {listed(value)}
          </details>
        ) : (
          <div key={name}>
            {name}: {Array.isArray(value) ? listed(value) : formatValue(value)}
          </div>
        ),
      )}
  </div>
)

const MOST_LISTED = 3
const listed = (values: unknown[]): string => values.map(formatValue).join(', ')
const formatValue = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
