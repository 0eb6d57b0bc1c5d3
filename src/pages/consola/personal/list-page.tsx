import { fullName } from '../../../accounts/account.ts'
import type { AskedStaff, StaffFilters, StaffMember } from '../../../accounts/staff.ts'
import type { Errors } from '../../../http/problems.ts'
import type { ResultPage } from '../../../store/keyset.ts'
import { FaultList, Field } from '../../fields.tsx'
import { FilterField, FilterSelect } from '../../filter.tsx'
import { Moment } from '../../moment.tsx'
import { pageLinks } from '../../params.ts'
import { type Column, Pager, Search, Table } from '../../table.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'

export const PERSONAL = '/consola/personal'
export const OWN_ACCESS = `${PERSONAL}/acceso`

interface Props {
  ctx: ConsoleContext
  filters: StaffFilters
  found: ResultPage<StaffMember>
  asked: AskedStaff[]
  /** What was filled in, where it was refused. */
  invited?: { email: string; errors: Errors }
}

/** Who sees everything, who was asked to, and the form that asks another. */
export const staffPage = ({ ctx, filters, found, asked, invited }: Props) => (
  <ConsolePage
    ctx={ctx}
    title="Personal"
    current={PERSONAL}
    faulty={Boolean(invited)}
    lead={<p>Quienes ven y hacen todo en el mercado. Cada acto queda en la auditoría.</p>}
    acts={
      <a class="button secondary" href={OWN_ACCESS}>
        Mi segundo paso
      </a>
    }
  >
    <Search action={PERSONAL}>
      <FilterField name="q" label="Nombre o correo" value={filters.q} more={{ type: 'search' }} />
      <FilterSelect name="segundo" label="Segundo paso" value={filters.segundo} all="Todos" choices={SEGUNDOS} />
    </Search>
    <section>
      <Table
        caption="Personal"
        columns={memberColumns(ctx)}
        rows={found.rows}
        keyOf={({ id }) => id}
        empty={
          <p>
            No hay nadie así. <a href={PERSONAL}>Ver a todos</a>
          </p>
        }
      />
      <Pager {...pageLinks(PERSONAL, { ...filters }, found, ({ id }) => id)} />
    </section>
    {asked.length > 0 && (
      <section>
        <h2>Invitaciones pendientes</h2>
        <Table
          caption="Invitaciones pendientes"
          columns={askedColumns(ctx)}
          rows={asked}
          keyOf={({ id }) => id}
          empty={<p>Ninguna.</p>}
        />
      </section>
    )}
    <section>
      <h2>Invitar a una persona</h2>
      <form method="post" action={PERSONAL} class="sheet" novalidate>
        <FaultList errors={invited?.errors} />
        <Field
          name="Email"
          label="Correo"
          value={invited?.email}
          errors={invited?.errors}
          hint="Le llega un enlace, que vale tres días. Al aceptar elige su clave y protege la cuenta con su teléfono."
          more={{ type: 'email', inputmode: 'email', autocomplete: 'off', autocapitalize: 'none', maxlength: 254 }}
        />
        <button type="submit">Enviar la invitación</button>
      </form>
    </section>
  </ConsolePage>
)

export const SEGUNDOS = [
  ['activo', 'Activo'],
  ['sin-configurar', 'Sin configurar'],
] as const

const memberColumns = (ctx: ConsoleContext): Column<StaffMember>[] => [
  {
    head: 'Persona',
    cell: (member) => (
      <div>
        <strong>{fullName(member)}</strong>
        {member.nombre && <div class="hint wrap-anywhere">{member.email}</div>}
      </div>
    ),
    text: fullName,
  },
  {
    head: 'Segundo paso',
    cell: ({ secured }) =>
      secured ? <span class="badge status-2">activo</span> : <span class="badge status-4">sin configurar</span>,
    text: ({ secured }) => (secured ? 'activo' : 'sin configurar'),
  },
  { head: 'Desde', cell: ({ since }) => <Moment at={since} when={ctx} />, text: ({ since }) => since },
  {
    head: 'Acciones',
    cell: (member) =>
      member.id === ctx.account.id ? (
        <span class="hint">Es usted</span>
      ) : (
        <span class="row">
          {member.secured && (
            <a href={`${PERSONAL}/${member.id}/reiniciar`}>
              Reiniciar el segundo paso<span class="visually-hidden"> de {fullName(member)}</span>
            </a>
          )}
          <a class="danger" href={`${PERSONAL}/${member.id}/quitar`}>
            Quitar<span class="visually-hidden"> a {fullName(member)}</span>
          </a>
        </span>
      ),
  },
]

/** What a spreadsheet is told besides. */
export const memberCsv = (ctx: ConsoleContext): Column<StaffMember>[] => [
  { head: 'Correo', cell: () => null, text: ({ email }) => email },
  ...memberColumns(ctx),
]

const askedColumns = (ctx: ConsoleContext): Column<AskedStaff>[] => [
  { head: 'Correo', cell: ({ email }) => email },
  { head: 'Vence', cell: ({ expires }) => <Moment at={expires} when={ctx} /> },
  {
    head: 'Acciones',
    cell: ({ id, email }) => (
      <form method="post" action={`${PERSONAL}/${id}/retirar`}>
        <button type="submit" class="plain">
          Retirar<span class="visually-hidden"> la invitación a {email}</span>
        </button>
      </form>
    ),
  },
]
