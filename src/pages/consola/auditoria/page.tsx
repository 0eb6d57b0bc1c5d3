import { fullName } from '../../../accounts/account.ts'
import { type AuditEntry, VIAS } from '../../../accounts/audit-log.ts'
import { FilterDay, FilterField, FilterSelect } from '../../filter.tsx'
import { Moment } from '../../moment.tsx'
import { type Column, Pager, type PagerProps, Search, Table } from '../../table.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { formatAct, pageOf, VIA_NAMES } from './labels.ts'

export const AUDITORIA = '/consola/auditoria'

/** What was looked for, as it stands in the address. */
export interface Filters {
  quien?: string | undefined
  via?: (typeof VIAS)[number] | undefined
  acto?: string | undefined
  sobre?: string | undefined
  desde?: string | undefined
  hasta?: string | undefined
}

interface Props {
  ctx: ConsoleContext
  filters: Filters
  acts: string[]
  rows: AuditEntry[]
  ways: PagerProps
}

/** Who did what with personal data, and every act of the staff. */
export function auditPage({ ctx, filters, acts, rows, ways }: Props) {
  const narrowed = Object.values(filters).some(Boolean)
  const choices = acts.map((act) => [act, formatAct(act)] as const).sort(([, a], [, b]) => a.localeCompare(b, 'es'))
  return (
    <ConsolePage
      ctx={ctx}
      title="Auditoría"
      current={AUDITORIA}
      lead={<p>Quién miró datos de personas, y todo lo que hizo el personal. Nadie puede cambiarla.</p>}
    >
      <Search action={AUDITORIA}>
        <FilterField name="quien" label="Quién (correo exacto)" value={filters.quien} more={{ maxlength: 254 }} />
        <FilterSelect name="acto" label="Acto" value={filters.acto} all="Todos" choices={choices} />
        <FilterSelect
          name="via"
          label="Desde dónde"
          value={filters.via}
          all="Todos"
          choices={VIAS.map((via) => [via, VIA_NAMES[via]] as const)}
        />
        <FilterField name="sobre" label="Sobre (id exacto)" value={filters.sobre} />
        <FilterDay name="desde" label="Desde" value={filters.desde} />
        <FilterDay name="hasta" label="Hasta" value={filters.hasta} />
      </Search>
      <Table
        caption="Auditoría"
        columns={auditColumns(ctx)}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          narrowed ? (
            <p>
              No hay nada así. <a href={AUDITORIA}>Ver todo</a>
            </p>
          ) : (
            <p>Todavía no pasó nada que anotar.</p>
          )
        }
      />
      <Pager {...ways} />
    </ConsolePage>
  )
}

export const auditColumns = (ctx: ConsoleContext): Column<AuditEntry>[] => [
  { head: 'Cuándo', cell: ({ at }) => <Moment at={at} when={ctx} />, text: ({ at }) => at },
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
  {
    head: 'Sobre',
    cell: (entry) => <Subject {...entry} />,
    text: ({ subject }) => subject,
  },
  {
    head: 'Detalle',
    cell: ({ detail }) => detail && <Detail detail={detail} />,
    text: ({ detail }) => (detail ? JSON.stringify(detail) : ''),
  },
]

/** On the page it stands below the name; a spreadsheet has it apart. */
export const VIA_COLUMN: Column<AuditEntry> = {
  head: 'Desde dónde',
  cell: ({ via }) => VIA_NAMES[via],
  text: ({ via }) => via,
}

function Subject({ act, subject, about }: AuditEntry) {
  if (!subject) return null
  if (about) return <span title={about.email}>{fullName(about)}</span>
  const href = pageOf(act, subject)
  const shown = <code class="wrap-anywhere">{subject}</code>
  return href ? <a href={href}>{shown}</a> : shown
}

/** What is noted beside an act, name by name; a long list is counted, and opens. */
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
            {name}: {Array.isArray(value) ? listed(value) : inWords(value)}
          </div>
        ),
      )}
  </div>
)

const MOST_LISTED = 3
const listed = (values: unknown[]): string => values.map(inWords).join(', ')
const inWords = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
