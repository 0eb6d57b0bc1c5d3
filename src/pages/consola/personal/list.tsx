import { fullName } from '../../../accounts/account.ts'
import { type InvitedStaff, listInvitedStaff, listStaffForStaff } from '../../../accounts/staff.ts'
import type { Errors } from '../../../http/problems.ts'
import { DangerLink, Field, Form } from '../../fields.tsx'
import { searchFilter, selectFilter } from '../../filter.tsx'
import { Moment, type When } from '../../format.tsx'
import { defineList, numberedPage } from '../../list.tsx'
import { PostButton, SecondaryLink } from '../../parts.tsx'
import { type Column, momentColumn, Table } from '../../table.tsx'
import { CONSOLE } from '../context.tsx'

export const PERSONAL = '/consola/personal'
export const OWN_ACCESS = `${PERSONAL}/acceso`

/** The members of the staff, the pending invitations, and the form that invites another. */
export const PERSONAL_LIST = defineList({
  audience: CONSOLE,
  section: PERSONAL,
  title: 'Personal',
  lead: () => <p>Quienes ven y hacen todo en el mercado. Cada acto queda en la auditoría.</p>,
  acts: <SecondaryLink href={OWN_ACCESS}>Mi segundo paso</SecondaryLink>,
  filters: {
    q: searchFilter('Nombre o correo'),
    segundo: selectFilter('Segundo paso', 'Todos', [
      ['activo', 'Activo'],
      ['sin-configurar', 'Sin configurar'],
    ]),
  },
  load: async ({ store }, request) => {
    const { filters } = request
    const [found, invited] = await Promise.all([
      numberedPage(request, (cursor) => listStaffForStaff(store, filters, cursor)),
      listInvitedStaff(store),
    ])
    return { ...found, invited: invited.filter(({ email }) => email.includes(filters.q?.toLowerCase() ?? '')) }
  },
  idOf: ({ id }) => id,
  columns: (ctx) => [
    { head: 'Correo', text: ({ email }) => email },
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
    momentColumn('Desde', ctx, ({ since }) => since),
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
            <DangerLink href={`${PERSONAL}/${member.id}/quitar`} label="Quitar" to={`a ${fullName(member)}`} />
          </span>
        ),
    },
  ],
  empty: { none: 'No hay nadie así.', noMatch: 'No hay nadie así.', all: 'Ver a todos' },
  csvName: 'personal',
  after: ({ ctx, found: { invited } }, refused: { email: string; errors: Errors } | undefined) => (
    <>
      {invited.length > 0 && (
        <section>
          <h2>Invitaciones pendientes</h2>
          <Table
            caption="Invitaciones pendientes"
            columns={invitedColumns(ctx)}
            rows={invited}
            keyOf={({ id }) => id}
            empty={<p>Ninguna.</p>}
          />
        </section>
      )}
      <section>
        <h2>Invitar a una persona</h2>
        <Form action={PERSONAL} errors={refused?.errors} button="Enviar la invitación" class="sheet">
          <Field
            name="Email"
            label="Correo"
            value={refused?.email}
            errors={refused?.errors}
            hint="Le llega un enlace, que vale tres días. Al aceptar elige su clave y protege la cuenta con su teléfono."
            more={{ type: 'email', inputmode: 'email', autocomplete: 'off', autocapitalize: 'none', maxlength: 254 }}
          />
        </Form>
      </section>
    </>
  ),
})

const invitedColumns = (when: When): Column<InvitedStaff>[] => [
  { head: 'Correo', cell: ({ email }) => email },
  { head: 'Vence', cell: ({ expires }) => <Moment at={expires} when={when} /> },
  {
    head: 'Acciones',
    cell: ({ id, email }) => (
      <PostButton action={`${PERSONAL}/${id}/retirar`} class="plain">
        Retirar<span class="visually-hidden"> la invitación a {email}</span>
      </PostButton>
    ),
  },
]
