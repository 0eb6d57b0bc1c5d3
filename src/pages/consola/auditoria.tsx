import { readFileSync } from 'node:fs'
import { fullName, MAIL_CHARACTERS } from '../../accounts/account.ts'
import { type AuditEntry, type Audited, knownActs, listAudit } from '../../accounts/audit.ts'
import { findAccounts } from '../../accounts/store.ts'
import { addDays, startOfDay } from '../../http/dates.ts'
import { isUlid } from '../../ulid.ts'
import { dayFilter, loadedFilter, selectFilter, textFilter } from '../filter.tsx'
import { defineList, numberedPage } from '../list.tsx'
import { column, momentColumn } from '../table.tsx'
import { CONSOLE } from './context.tsx'

const VIA_NAMES: Record<Audited['via'], string> = {
  consola: 'Consola',
  portal: 'Portal',
  agencia: 'Cuenta de agencia',
  comando: 'Línea de comandos',
}

/** Acts as people tell them; one without words is shown as it is written. */
const ACTS: Record<string, string> = JSON.parse(readFileSync(new URL('./acts.json', import.meta.url), 'utf8'))

export const formatAct = (act: string): string => (Object.hasOwn(ACTS, act) ? (ACTS[act] as string) : act)

/** The page of what an entry is about, where there is one. */
export function pageOf(act: string, subject: string): string | undefined {
  const [section] = act.split('.')
  if (act === 'suprimir' || section === 'supresion')
    return isUlid(subject) ? `/consola/supresiones/${subject}` : undefined
  if (section === 'consulta' && isUlid(subject)) return `/consola/consultas/${subject}`
  if (section === 'entrega' && isUlid(subject)) return `/consola/entregas/${subject}`
  if (section === 'app' && /^[0-9a-f]{32}$/.test(subject)) return `/consola/apps/${subject}`
  const email = /^correo (\d+)$/.exec(subject)?.[1]
  return email && `/consola/correos/${email}`
}

const AUDITORIA = '/consola/auditoria'
/** No account has it: a search for somebody unknown finds nothing. */
const NO_ACCOUNT = 0
/** No day comes after it. */
const LAST_DAY = '9999-12-31'

export const AUDITORIA_LIST = defineList({
  audience: CONSOLE,
  section: AUDITORIA,
  title: 'Auditoría',
  intro: 'Quién miró datos de personas, y todo lo que hizo el personal. Nadie puede cambiarla.',
  filters: {
    quien: textFilter('Quién (correo exacto)', { maxlength: MAIL_CHARACTERS }),
    acto: loadedFilter('Acto', 'Todos'),
    via: selectFilter('Desde dónde', 'Todos', Object.entries(VIA_NAMES) as [Audited['via'], string][]),
    sobre: textFilter('Sobre (id exacto)'),
    desde: dayFilter('Desde'),
    hasta: dayFilter('Hasta'),
  },
  load: async ({ store, config: { timeZone } }, request) => {
    const { quien, via, acto: act, sobre: subject, desde, hasta } = request.filters
    await request.ctx.audit(request.csv ? 'auditoria.bajar' : 'auditoria.listar', '') // first: it is listed too
    // One address may have an account in production and one in test: the first is production's.
    const accountId = quien === undefined ? undefined : ((await findAccounts(store, quien))[0]?.id ?? NO_ACCOUNT)
    const search = {
      ...{ accountId, via, act, subject },
      desde: desde ? startOfDay(desde, timeZone) : undefined,
      hasta: hasta && hasta < LAST_DAY ? startOfDay(addDays(hasta, 1), timeZone) : undefined,
    }
    const [found, acts] = await Promise.all([
      numberedPage(request, (cursor) => listAudit(store, search, cursor)),
      knownActs(store),
    ])
    const acto = acts.map((each) => [each, formatAct(each)] as const).sort(([, a], [, b]) => a.localeCompare(b, 'es'))
    return { ...found, choices: { acto } }
  },
  columns: (ctx) => [
    momentColumn('Cuándo', ctx, ({ at }: AuditEntry) => at),
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
    column('Qué hizo', 'act', formatAct),
    { head: 'Sobre', cell: (entry) => <Subject {...entry} />, text: ({ subject }) => subject },
    {
      head: 'Detalle',
      cell: ({ detail }) => detail && <Detail detail={detail} />,
      text: ({ detail }) => (detail ? JSON.stringify(detail) : ''),
    },
    { head: 'Desde dónde', text: ({ via }) => via },
  ],
  empty: { none: 'Todavía no pasó nada que anotar.', noMatch: 'No hay nada así.', all: 'Ver todo' },
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
        Array.isArray(value) && value.length > MAX_LISTED ? (
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

const MAX_LISTED = 3
const listed = (values: unknown[]): string => values.map(formatValue).join(', ')
const formatValue = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
