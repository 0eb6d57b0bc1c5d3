import { type Envelope, MAIL_STATES, type MailFilters } from '../../../mail/staff.ts'
import { FilterField, FilterSelect } from '../../filter.tsx'
import { Moment } from '../../moment.tsx'
import { type Column, Pager, type PagerProps, Search, Table } from '../../table.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { formatKind, KINDS, STATES } from './labels.ts'

export const CORREOS = '/consola/correos'

interface Props {
  ctx: ConsoleContext
  asked: MailFilters
  rows: Envelope[]
  ways: PagerProps
  /** Whether letters leave at all. */
  mails: boolean
}

/** Every letter that was written, wherever it is now. */
export function lettersPage({ ctx, asked, rows, ways, mails }: Props) {
  const narrowed = Object.values(asked).some(Boolean)
  return (
    <ConsolePage
      ctx={ctx}
      title="Correos"
      current={CORREOS}
      lead={
        mails ? (
          <p>Lo que se envió, lo que espera y lo que no llegó.</p>
        ) : (
          <p>
            No hay servidor de correo (<code>SMTP_URL</code>): los correos se guardan aquí, y sus enlaces sirven.
          </p>
        )
      }
    >
      <Search action={CORREOS}>
        <FilterField
          name="para"
          label="Para (correo exacto)"
          value={asked.to}
          more={{ type: 'email', maxlength: 254 }}
        />
        <FilterSelect name="tipo" label="Tipo" value={asked.kind} all="Todos" choices={Object.entries(KINDS)} />
        <FilterSelect
          name="estado"
          label="Estado"
          value={asked.estado}
          all="Todos"
          choices={MAIL_STATES.map((estado) => [estado, STATES[estado].label] as const)}
        />
      </Search>
      <Table
        caption="Correos"
        columns={letterColumns(ctx)}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          narrowed ? (
            <p>
              Ningún correo es así. <a href={CORREOS}>Ver todos</a>
            </p>
          ) : (
            <p>Todavía no se escribió ningún correo. El primero sale cuando una app invita a una agencia.</p>
          )
        }
      />
      <Pager {...ways} />
    </ConsolePage>
  )
}

/** What a page shows of a letter without opening it, and what a spreadsheet gets. */
export const letterColumns = (ctx: ConsoleContext): Column<Envelope>[] => [
  {
    head: 'Correo',
    cell: ({ id, kind }) => <a href={`${CORREOS}/${id}`}>{formatKind(kind)}</a>,
    text: ({ kind }) => formatKind(kind),
  },
  { head: 'Para', cell: ({ to }) => <span class="wrap-anywhere">{to}</span>, text: ({ to }) => to },
  {
    head: 'Estado',
    cell: ({ estado }) => <span class={`badge ${STATES[estado].badge}`}>{STATES[estado].label}</span>,
    text: ({ estado }) => STATES[estado].label,
  },
  { head: 'Escrito', cell: ({ at }) => <Moment at={at} when={ctx} />, text: ({ at }) => at },
  {
    head: 'Intentos',
    number: true,
    cell: ({ attempts }) => attempts,
    text: ({ attempts }) => attempts,
  },
  { head: 'Error', cell: ({ lastError }) => <span class="hint">{lastError}</span>, text: ({ lastError }) => lastError },
]
