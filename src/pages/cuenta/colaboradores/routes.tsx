import type { FastifyReply } from 'fastify'
import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import type { Rol } from '../../../accounts/links.ts'
import { isPasswordOf, MAX_PASSWORD } from '../../../accounts/password.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { labels, rich, t } from '../../../i18n/messages.tsx'
import { inboxSettings } from '../../../resources/agencias/inbox.ts'
import { inviteOperador, removeOperador, withdrawInvitation } from '../../../resources/agencias/operadores.ts'
import { pendingOperadores } from '../../../resources/agencias/read.ts'
import { AGENCY_REFUSALS, AgencyPeople, withdrawQuestion } from '../../agency.tsx'
import { serveConfirmation } from '../../confirm.tsx'
import { EMAIL_INPUT, Form } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, passwordField, provenForm, textField } from '../../form.ts'
import { Fields, type FormFields, type Refused } from '../../form-fields.tsx'
import { page } from '../../page.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type AccountPages, AGENCY, type AgencyContext, AgencyPage } from '../context.tsx'

const LIST = '/cuenta/colaboradores'
const INVITE_ACTS = { administrador: 'agencia.administrador', vendedor: 'agencia.invitar-persona' } as const
type InviteRefusal = Exclude<Awaited<ReturnType<typeof inviteOperador>>['kind'], 'invited'>

const REFUSALS: Readonly<Record<InviteRefusal, string>> = labels({
  invalid: 'cuenta.collaborators.invalid',
  already: 'cuenta.collaborators.already',
  ...AGENCY_REFUSALS,
})

/** /cuenta/colaboradores and /cuenta/administrador: who works at the agency, decided by its administrator. */
export function accountPeopleRoutes({ vendedor, administrador }: AccountPages, deps: PageDeps): void {
  const { store, attempts } = deps

  async function show(reply: FastifyReply, ctx: AgencyContext, refused?: Refused) {
    return page(reply, await peoplePage(deps, ctx, refused), refused ? 400 : 200)
  }

  const invite = ({ agencia, account, change }: AgencyContext, email: string, rol: Rol) =>
    change<Awaited<ReturnType<typeof inviteOperador>>>(
      ({ kind }) => (kind === 'invited' ? { act: INVITE_ACTS[rol], subject: agencia.adminMail } : undefined),
      (tx) => inviteOperador({ ...deps, store: tx }, { agencia, email, rol, by: account }),
    )

  vendedor.get('/colaboradores', ({ ctx }, reply) => show(reply, ctx))

  administrador.post('/colaboradores', provenForm(formRoute(MAIL_CHARACTERS)), async ({ ctx, form }, reply) => {
    const email = textField(form, 'Email')
    const { kind } = await invite(ctx, email, 'vendedor')
    if (kind === 'invited') return redirectWithNotice(reply, 'invitado', LIST)
    return show(reply, ctx, { given: { Email: email }, errors: { Email: [REFUSALS[kind]] } })
  })

  serveConfirmation(administrador, '/colaboradores/:id/quitar', {
    audience: AGENCY,
    section: LIST,
    load: async ({ id }: { id: string }, { agencia }) => {
      const operador = agencia.operadores.find((each) => String(each.accountId) === id && each.rol === 'vendedor')
      if (!operador) throw notFound()
      return operador
    },
    question: (operador, { agencia }) => ({
      title: t('cuenta.collaborators.removeTitle', { name: fullName(operador) }),
      button: t('cuenta.yesRemove'),
      consequences: [
        t('cuenta.collaborators.removed', { agency: agencia.nombre }),
        t('cuenta.collaborators.removed.inquiries'),
      ],
    }),
    act: ({ accountId }, { agencia, account, change }) =>
      change({ act: 'agencia.quitar-persona', subject: agencia.adminMail, detail: { cuenta: accountId } }, (tx) =>
        removeOperador({ ...deps, store: tx }, agencia, accountId, account),
      ),
    form: provenForm(CONFIRMATION_FORM),
    notice: 'quitado',
  })

  serveConfirmation(administrador, '/colaboradores/:id/retirar', {
    audience: AGENCY,
    section: LIST,
    // A vendedor may be invited to administer: withdrawing that does not remove them.
    load: async ({ id }: { id: string }, { agencia }) => {
      const invited = (await pendingOperadores(store, agencia.id)).find((each) => String(each.accountId) === id)
      if (!invited) throw notFound()
      return invited
    },
    question: ({ email }) => withdrawQuestion(email),
    act: ({ accountId }, { agencia, account, change }) =>
      change(
        { act: 'agencia.retirar-invitacion', subject: agencia.adminMail, detail: { cuenta: accountId } },
        async (tx) => {
          if (!(await withdrawInvitation({ ...deps, store: tx }, agencia, accountId, account))) throw notFound()
        },
      ),
    form: provenForm(CONFIRMATION_FORM),
    notice: 'retirada',
  })

  administrador.get('/administrador', async ({ ctx }, reply) => page(reply, administratorPage({ ctx })))

  administrador.post('/administrador', formRoute(MAIL_CHARACTERS + MAX_PASSWORD), async ({ form, ctx }, reply) => {
    const { account } = ctx
    const email = textField(form, 'Email')
    const errors: Errors = {}
    // A stolen session must not be enough to give the agency away.
    const attempt = attempts.takeOwn(`cuenta ${account.id}`)
    if (await isPasswordOf(store, account, passwordField(form))) attempt.refund()
    else errors.Clave = [t('cuenta.collaborators.notPassword')]
    const invited = errors.Clave ? undefined : await invite(ctx, email, 'administrador')
    if (invited?.kind === 'invited') return redirectWithNotice(reply, 'reemplazo', LIST)
    if (invited)
      errors.Email = [invited.kind === 'already' ? t('cuenta.collaborators.youAdminister') : REFUSALS[invited.kind]]
    return page(reply, administratorPage({ ctx, refused: { given: { Email: email }, errors } }), 400)
  })
}

/** Another person's address, so the browser must not suggest one's own. */
const emailField = () =>
  ({ label: t('cuenta.collaborators.email'), max: 50, more: { ...EMAIL_INPUT, autocomplete: 'off' } }) as const

const invitation = () =>
  ({ Email: { ...emailField(), hint: t('cuenta.collaborators.emailHint') } }) satisfies FormFields

const replacement = () =>
  ({
    Email: emailField(),
    Clave: {
      label: t('cuenta.collaborators.password'),
      hint: t('cuenta.collaborators.passwordHint'),
      more: { type: 'password', autocomplete: 'current-password' },
    },
  }) satisfies FormFields

async function peoplePage({ store }: PageDeps, ctx: AgencyContext, refused: Refused | undefined) {
  const { agencia } = ctx
  const decides = agencia.rol === 'administrador'
  const pending = decides ? await pendingOperadores(store, agencia.id) : []
  const isShared = (await inboxSettings(store, agencia.id)).regla !== 'ninguna'
  return (
    <AgencyPage
      ctx={ctx}
      title={t('cuenta.nav.colaboradores')}
      intro={
        decides ? t('cuenta.collaborators.intro') : t('cuenta.collaborators.introReader', { admin: agencia.adminMail })
      }
    >
      <AgencyPeople
        agencia={agencia}
        pending={pending}
        path={LIST}
        decides={decides}
        hintOf={({ email, telefono }) => [email, telefono].filter(Boolean).join(' · ')}
      />
      {decides && !isShared && agencia.operadores.length + pending.length > 1 && (
        <p>{rich('cuenta.collaborators.noRule', { link: (text) => <a href="/cuenta/reparto">{text}</a> })}</p>
      )}
      {decides && (
        <>
          <details open={Boolean(refused)}>
            <summary>{t('cuenta.collaborators.invite')}</summary>
            <Form action={LIST} class="" button={t('cuenta.collaborators.send')} {...refused}>
              <Fields fields={invitation()} />
            </Form>
          </details>
          <p class="hint after">
            <a href="/cuenta/administrador">{t('cuenta.collaborators.replace')}</a>
          </p>
        </>
      )}
    </AgencyPage>
  )
}

const administratorPage = ({ ctx, refused }: { ctx: AgencyContext; refused?: Refused }) => (
  <AgencyPage
    ctx={ctx}
    parentLink={{ href: LIST, label: t('cuenta.nav.colaboradores') }}
    title={t('cuenta.collaborators.replace')}
    intro={t('cuenta.collaborators.replaceLead')}
  >
    <div class="measure">
      <ul>
        <li>{t('cuenta.collaborators.replaceThen', { agency: ctx.agencia.nombre })}</li>
        <li>{t('cuenta.collaborators.replaceYou')}</li>
        <li>{t('cuenta.collaborators.replaceApps')}</li>
      </ul>
      <Form action="/cuenta/administrador" class="sheet" button={t('cuenta.collaborators.replaceSend')} {...refused}>
        <Fields fields={replacement()} />
      </Form>
    </div>
  </AgencyPage>
)
