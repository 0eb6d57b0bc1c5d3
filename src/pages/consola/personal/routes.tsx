import { type Account, fullName, isMailAddress, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import { audit } from '../../../accounts/audit.ts'
import { endLinks, newLink } from '../../../accounts/links.ts'
import { resetSecondFactor } from '../../../accounts/second-factor.ts'
import {
  type InvitedStaff,
  listInvitedStaff,
  listStaff,
  listStaffForStaff,
  lockStaff,
  removeStaff,
  type StaffMember,
} from '../../../accounts/staff.ts'
import { ensureAccount } from '../../../accounts/store.ts'
import { conflict, forbidden, notFound } from '../../../http/problems.ts'
import { labels } from '../../../i18n/messages.tsx'
import { staffEmail } from '../../../mail/compose.ts'
import { enqueueEmailTo } from '../../../mail/email.ts'
import { isOverMailLimit } from '../../../resources/agencias/invitation-store.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { notifyOwner } from '../../entrar/access.ts'
import { DangerLink, Form } from '../../fields.tsx'
import { searchFilter, selectFilter } from '../../filter.tsx'
import { CONFIRMATION_FORM, formRoute, provenForm, textFields } from '../../form.ts'
import { Fields, type FormFields, type Refused } from '../../form-fields.tsx'
import { Moment, type TimeContext } from '../../format.tsx'
import { INVITE_REFUSALS } from '../../invited.tsx'
import { defineList, numberedPage, serveList } from '../../list.tsx'
import { PostButton, SecondaryLink, Section } from '../../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type Column, momentColumn, Table } from '../../table.tsx'
import { CONSOLE, type ConsoleContext, type ConsolePages } from '../context.tsx'

export const PERSONAL = '/consola/personal'
const OWN_ACCESS = '/cuenta/acceso'

const INVITE_FIELDS: FormFields = {
  Email: {
    label: 'Correo',
    hint: 'Le llega un enlace, que vale tres días. Al aceptar elige su clave y protege la cuenta con su teléfono.',
    more: { type: 'email', inputmode: 'email', autocomplete: 'off', autocapitalize: 'none', maxlength: 254 },
  },
}

const PERSONAL_LIST = defineList({
  audience: CONSOLE,
  section: PERSONAL,
  title: 'Personal',
  intro: 'Quienes ven y hacen todo en el mercado. Cada acto queda en la auditoría.',
  actions: <SecondaryLink href={OWN_ACCESS}>Mi acceso</SecondaryLink>,
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
  columns: (ctx) => [
    { head: 'Correo', text: ({ email }) => email },
    {
      head: 'Persona',
      cell: (member) => (
        <div>
          <strong>{fullName(member)}</strong>
          {member.nombre && <div class="hint wrap-anywhere">{member.email}</div>}
          {member.rol === 'lectura' && <span class="badge">solo lectura</span>}
        </div>
      ),
      text: fullName,
    },
    {
      head: 'Segundo paso',
      cell: ({ secured }) =>
        secured ? <span class="badge ok">activo</span> : <span class="badge attention">sin configurar</span>,
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
  bottom: ({ ctx, found: { invited } }, refused: Refused | undefined) => (
    <>
      {invited.length > 0 && (
        <Section title="Invitaciones pendientes">
          <Table caption="Invitaciones pendientes" columns={invitedColumns(ctx)} rows={invited} empty="" />
        </Section>
      )}
      <Section title="Invitar a una persona">
        <Form action={PERSONAL} errors={refused?.errors} button="Enviar la invitación" class="sheet">
          <Fields fields={INVITE_FIELDS} {...refused} />
        </Form>
      </Section>
    </>
  ),
})

const invitedColumns = (when: TimeContext): Column<InvitedStaff>[] => [
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

const REFUSALS: Readonly<Record<Exclude<InviteOutcome, 'invited'>, string>> = labels({
  invalid: 'consola.staff.invalid',
  already: 'consola.staff.already',
  'too-many': INVITE_REFUSALS['too-many'],
})

/** /consola/personal: the marketplace's staff, managed by the staff. */
export function staffRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps
  const showRefused = serveList(app, '/personal', deps, PERSONAL_LIST)

  app.post('/personal', provenForm(formRoute(MAIL_CHARACTERS)), async ({ ctx, form }, reply) => {
    const given = textFields(form, ['Email'])
    const outcome = await inviteStaff(deps, given.Email, ctx.account)
    if (outcome === 'invited') return redirectWithNotice(reply, 'personal-invitada', PERSONAL)
    return showRefused(reply, ctx, { given, errors: { Email: [REFUSALS[outcome]] } })
  })

  app.post<ById>('/personal/:id/retirar', provenForm(CONFIRMATION_FORM), async ({ ctx, params }, reply) => {
    const invited = (await listInvitedStaff(store)).find(({ id }) => String(id) === params.id)
    if (!invited) throw notFound()
    await endLinks(store, { accountId: invited.id, purpose: 'personal' })
    await ctx.audit('personal.retirar', `cuenta ${invited.id}`)
    return redirectWithNotice(reply, 'personal-retirada', PERSONAL)
  })

  /** Another member of the staff: nobody decides about themselves. */
  async function colleague({ id }: ById['Params'], ctx: ConsoleContext): Promise<StaffMember> {
    const found = (await listStaff(store)).find((member) => String(member.id) === id)
    if (!found) throw notFound()
    if (found.id === ctx.account.id) throw forbidden('Sobre usted decide otra persona del personal.')
    return found
  }
  const ofColleague = {
    audience: CONSOLE,
    section: PERSONAL,
    above: () => ({ href: PERSONAL, label: 'Personal' }),
    load: colleague,
    form: provenForm(CONFIRMATION_FORM),
  }

  serveConfirmation(app, '/personal/:id/quitar', {
    ...ofColleague,
    question: (member) => ({
      title: `¿Quitar a ${fullName(member)} del personal?`,
      button: 'Sí, quitar',
      consequences: [
        'Sus sesiones se cierran en el acto, en todas partes.',
        'Lo que hizo sigue en la auditoría, a su nombre.',
        'Puede volver a invitarle.',
      ],
    }),
    act: async ({ id }, ctx) => {
      const removed = await store.transaction(async (tx) => {
        if (!(await removeStaff(tx, id))) return false
        await ctx.audit('personal.quitar', `cuenta ${id}`, undefined, tx)
        return true
      })
      if (!removed) throw conflict({}, 'Alguien tiene que quedar en el personal.')
    },
    notice: 'personal-quitada',
  })

  serveConfirmation(app, '/personal/:id/reiniciar', {
    ...ofColleague,
    question: (member) => ({
      title: `¿Reiniciar el segundo paso de ${fullName(member)}?`,
      button: 'Sí, reiniciar',
      consequences: (
        <>
          <p>
            Es para quien perdió su teléfono o sus llaves de acceso, y sus códigos de recuperación.{' '}
            <strong>Asegúrese de que se lo pide esa persona</strong>: llámela, no alcanza con un correo.
          </p>
          <ul>
            <li>Su teléfono, sus llaves y sus códigos de recuperación dejan de servir, y sus sesiones se cierran.</li>
            <li>La próxima vez que entre con su clave configura otro segundo paso. Le avisamos por correo.</li>
          </ul>
        </>
      ),
    }),
    act: async (member, ctx) => {
      const reset = await store.transaction(async (tx) => {
        if (!(await resetSecondFactor(tx, member.id))) return false
        await notifyOwner(tx, deps, member, { hecho: 'reiniciado', porQuien: fullName(ctx.account) })
        await ctx.audit('segundo-paso.reiniciar', `cuenta ${member.id}`, undefined, tx)
        return true
      })
      if (!reset) throw conflict({}, 'Esa persona todavía no configuró su segundo paso.')
    },
    notice: 'personal-reiniciada',
  })
}

const LINK_DAYS = 3

type InviteOutcome = 'invited' | 'invalid' | 'already' | 'too-many'

/** Invites a person to the staff by email. A new link replaces the one before. */
async function inviteStaff(
  { store, seal, config }: Pick<PageDeps, 'store' | 'seal' | 'config'>,
  address: string,
  by: Account,
): Promise<InviteOutcome> {
  const email = address.trim().toLowerCase()
  if (!isMailAddress(email)) return 'invalid'
  return store.transaction(async (tx) => {
    await lockStaff(tx)
    const account = await ensureAccount(tx, 'produccion', email)
    if (account.staff) return 'already'
    if (await isOverMailLimit(tx, 'personal', email)) return 'too-many'
    await endLinks(tx, { accountId: account.id, purpose: 'personal' })
    const token = await newLink(tx, { purpose: 'personal', accountId: account.id, hours: LINK_DAYS * 24 })
    const url = `${config.publicUrl}/personal/${token}`
    const brand = config.brand.current()
    const content = { to: email, porQuien: fullName(by), url, dias: LINK_DAYS, brand }
    await enqueueEmailTo(tx, seal, email, () => staffEmail(content))
    await audit(tx, { accountId: by.id, via: 'consola', act: 'personal.invitar', subject: `cuenta ${account.id}` })
    return 'invited'
  })
}
