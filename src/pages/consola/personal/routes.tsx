import { notifyOwner } from '../../../access/credentials.ts'
import { type InvitedStaffMember, inviteStaff } from '../../../access/invitations.ts'
import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import { endLinks } from '../../../accounts/links.ts'
import { resetSecondFactor } from '../../../accounts/second-factor.ts'
import {
  type InvitedStaff,
  listInvitedStaff,
  listStaff,
  listStaffForStaff,
  removeStaff,
  type StaffMember,
} from '../../../accounts/staff.ts'
import { conflict, forbidden, notFound } from '../../../http/problems.ts'
import { labels, message, rich, t } from '../../../i18n/messages.tsx'
import { serveConfirmation } from '../../confirm.tsx'
import { Acts, DangerLink, EMAIL_INPUT, Form } from '../../fields.tsx'
import { searchFilter, selectFilter } from '../../filter.tsx'
import { CONFIRMATION_FORM, formRoute, provenForm, textFields } from '../../form.ts'
import { Fields, type FormFields, type Refused } from '../../form-fields.tsx'
import type { TimeContext } from '../../format.tsx'
import { INVITE_REFUSALS } from '../../invited.tsx'
import { defineList, numberedPage, serveList } from '../../list.tsx'
import { requireFound } from '../../params.ts'
import { PostButton, SecondaryLink, Section } from '../../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { badgeColumn, type Column, momentColumn, Table } from '../../table.tsx'
import { CONSOLE, type ConsoleContext, type ConsolePages } from '../context.tsx'

const PERSONAL = '/consola/personal'
const OWN_ACCESS = '/cuenta/acceso'

const inviteFields = (): FormFields => ({
  Email: {
    label: t('consola.head.email'),
    hint: t('consola.staff.invite.hint'),
    more: { ...EMAIL_INPUT, autocomplete: 'off', maxlength: MAIL_CHARACTERS },
  },
})

const PERSONAL_LIST = defineList(() => ({
  audience: CONSOLE,
  section: PERSONAL,
  title: t('consola.staff.title'),
  intro: t('consola.staff.intro'),
  actions: <SecondaryLink href={OWN_ACCESS}>{t('consola.staff.ownAccess')}</SecondaryLink>,
  filters: {
    q: searchFilter(t('consola.staff.search')),
    segundo: selectFilter(t('consola.staff.secondStep'), t('consola.filter.all.m'), [
      ['activo', t('consola.staff.active')],
      ['empresa', t('consola.staff.atProvider')],
      ['sin-configurar', t('consola.staff.notSet')],
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
    { head: t('consola.head.email'), text: ({ email }) => email },
    {
      head: t('consola.staff.person'),
      cell: (member) => (
        <div>
          <strong>{fullName(member)}</strong>
          {member.nombre && <div class="hint wrap-anywhere">{member.email}</div>}
          {member.rol === 'lectura' && <span class="badge">{t('consola.staff.readOnly')}</span>}
        </div>
      ),
      text: fullName,
    },
    badgeColumn(t('consola.staff.secondStep'), secondStepBadge, true),
    momentColumn(t('consola.head.since'), ctx, ({ since }) => since),
    {
      head: t('consola.staff.role'),
      text: ({ rol }) => t(rol === 'lectura' ? 'consola.staff.readOnly' : 'consola.staff.mayAct'),
    },
    {
      head: t('consola.staff.acts'),
      acts: true,
      cell: (member) =>
        member.id === ctx.account.id ? (
          <span class="hint">{t('consola.staff.isYou')}</span>
        ) : (
          <span class="row">
            {member.secured && (
              <a href={`${PERSONAL}/${member.id}/reiniciar`}>
                {rich('consola.staff.reset', { name: fullName(member) })}
              </a>
            )}
            <DangerLink
              href={`${PERSONAL}/${member.id}/quitar`}
              label={t('consola.act.remove')}
              to={t('consola.act.removePerson', { name: fullName(member) })}
            />
          </span>
        ),
    },
  ],
  empty: { none: t('consola.staff.none'), noMatch: t('consola.staff.none'), all: t('consola.staff.seeAll') },
  bottom: ({ ctx, found: { invited } }, refused: Refused | undefined) => (
    <>
      {invited.length > 0 && (
        <Section title={t('consola.staff.pending')}>
          <Table caption={t('consola.staff.pending')} columns={invitedColumns(ctx)} rows={invited} empty="" />
        </Section>
      )}
      <Acts>
        <Section title={t('consola.staff.inviteOne')}>
          <Form action={PERSONAL} button={t('consola.staff.invite.button')} class="sheet" {...refused}>
            <Fields fields={inviteFields()} />
          </Form>
        </Section>
      </Acts>
    </>
  ),
}))

/** Nothing is missing where the provider asks for the second factor. */
function secondStepBadge({ secured, viaOidc }: StaffMember): readonly [string, string] {
  if (secured) return ['ok', t('consola.staff.badge.active')]
  return viaOidc ? ['', t('consola.staff.badge.atProvider')] : ['attention', t('consola.staff.badge.notSet')]
}

const invitedColumns = (when: TimeContext): Column<InvitedStaff>[] => [
  { head: t('consola.head.email'), cell: ({ email }) => email },
  momentColumn(t('consola.head.expires'), when, ({ expires }) => expires),
  {
    head: t('consola.staff.acts'),
    acts: true,
    cell: ({ id, email }) => (
      <PostButton action={`${PERSONAL}/${id}/retirar`} class="secondary small">
        {rich('consola.staff.withdraw', { email })}
      </PostButton>
    ),
  },
]

const REFUSALS: Readonly<Record<Exclude<InvitedStaffMember, 'invited'>, string>> = labels({
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
    const invited = requireFound((await listInvitedStaff(store)).find(({ id }) => String(id) === params.id))
    await ctx.change({ act: 'personal.retirar', subject: `cuenta ${invited.id}` }, async (tx) => {
      const ended = await endLinks(tx, { accountId: invited.id, purpose: 'personal' })
      if (ended === 0) throw notFound() // they joined meanwhile
    })
    return redirectWithNotice(reply, 'personal-retirada', PERSONAL)
  })

  /** Another member of the staff: nobody decides about themselves. */
  async function colleague({ id }: ById['Params'], ctx: ConsoleContext): Promise<StaffMember> {
    const found = requireFound((await listStaff(store)).find((member) => String(member.id) === id))
    if (found.id === ctx.account.id) throw forbidden(message('consola.staff.notYourself'))
    return found
  }
  const ofColleague = {
    audience: CONSOLE,
    section: PERSONAL,
    parentLink: () => ({ href: PERSONAL, label: t('consola.nav.personal') }),
    load: colleague,
    form: provenForm(CONFIRMATION_FORM),
  }

  serveConfirmation(app, '/personal/:id/quitar', {
    ...ofColleague,
    question: (member) => ({
      title: t('consola.staff.remove.title', { name: fullName(member) }),
      button: t('consola.act.yesRemove'),
      consequences: [
        t('consola.staff.remove.sessions'),
        t('consola.staff.remove.audit'),
        t(member.viaOidc ? 'consola.staff.remove.provider' : 'consola.staff.remove.again'),
      ],
    }),
    act: ({ id }, ctx) =>
      ctx.change({ act: 'personal.quitar', subject: `cuenta ${id}` }, async (tx) => {
        if (!(await removeStaff(tx, id))) throw conflict({}, message('consola.staff.remove.last'))
      }),
    notice: 'personal-quitada',
  })

  serveConfirmation(app, '/personal/:id/reiniciar', {
    ...ofColleague,
    question: (member) => ({
      title: t('consola.staff.reset.title', { name: fullName(member) }),
      button: t('consola.staff.reset.button'),
      consequences: (
        <>
          <p>{rich('consola.staff.reset.when')}</p>
          <ul>
            <li>{t('consola.staff.reset.ends')}</li>
            <li>{t('consola.staff.reset.next')}</li>
          </ul>
        </>
      ),
    }),
    act: (member, ctx) =>
      ctx.change({ act: 'segundo-paso.reiniciar', subject: `cuenta ${member.id}` }, async (tx) => {
        if (!(await resetSecondFactor(tx, member.id))) throw conflict({}, message('consola.staff.reset.none'))
        await notifyOwner(tx, deps, member, { hecho: 'reiniciado', porQuien: fullName(ctx.account) })
      }),
    notice: 'personal-reiniciada',
  })
}
