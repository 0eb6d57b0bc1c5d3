import type { FastifyReply } from 'fastify'
import { changeOwnPassword, endOtherSessions } from '../../../access/credentials.ts'
import { listPasskeys } from '../../../accounts/passkeys.ts'
import { hashPassword, isPasswordOf, MAX_PASSWORD, passwordFault } from '../../../accounts/password.ts'
import { secondFactorOf } from '../../../accounts/second-factor.ts'
import { endSessionOf, listSessions, type OpenSession } from '../../../accounts/sessions.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { renameOperador } from '../../../resources/agencias/operadores.ts'
import { Form, NewPassword } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, passwordField } from '../../form.ts'
import { Fields, type FormFields, nameFields, type Refused, readFields } from '../../form-fields.tsx'
import { Moment } from '../../format.tsx'
import { type PageRequest, page } from '../../page.ts'
import { NamedRow, PostButton, SecondaryLink, Section } from '../../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type AccountContext, PersonalPage, type PersonPages } from '../context.tsx'
import { deviceName } from './device.ts'
import { ACCESS, SecondFactorSection, secondFactorRoutes } from './second-factor.tsx'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MAX_NAME_LENGTH = 50 // characters, as in AgenciaCreate

const presentPassword = () =>
  ({
    ClaveActual: { label: t('cuenta.access.present'), more: { type: 'password', autocomplete: 'current-password' } },
  }) satisfies FormFields

/** /cuenta/acceso, /cuenta/nombre, /cuenta/clave and /cuenta/sesiones: what a person does with their own account. */
export function accesoRoutes(app: PersonPages, deps: PageDeps): void {
  const { sessions, attempts, store } = deps

  async function show(request: PageRequest<AccountContext>, reply: FastifyReply, refused?: Refused) {
    return page(reply, await accessPage(deps, request, refused), refused ? 400 : 200)
  }

  app.get('/acceso', (request, reply) => show(request, reply))

  app.post('/nombre', formRoute(2 * MAX_NAME_LENGTH), async (request, reply) => {
    const { given, errors } = readFields(nameFields(), request.form)
    if (errors) return show(request, reply, { given, errors })
    await renameOperador(deps, request.ctx.account, { nombre: given.Nombre, apellido: given.Apellido })
    return redirectWithNotice(reply, 'nombre', ACCESS)
  })

  app.get('/clave', async ({ ctx }, reply) => page(reply, changePasswordPage({ ctx })))

  app.post('/clave', formRoute(2 * MAX_PASSWORD), async (request, reply) => {
    const { ctx, form } = request
    const { account } = ctx
    const present = passwordField(form, 'ClaveActual')
    const next = passwordField(form)
    // Somebody with a stolen session must not be able to guess it.
    const attempt = attempts.takeOwn(`cuenta ${account.id}`)
    const errors: Errors = {}
    if (await isPasswordOf(store, account, present)) attempt.refund()
    else errors.ClaveActual = [t('cuenta.access.notPresent')]
    const fault = passwordFault(next, account.email)
    if (fault) errors.Clave = [fault]
    if (Object.keys(errors).length > 0) return page(reply, changePasswordPage({ ctx, errors }), 400)

    const hash = await hashPassword(next)
    sessions.renew(request, reply, await changeOwnPassword(deps, account, hash), 'any')
    return redirectWithNotice(reply, 'clave', ACCESS)
  })

  app.post('/sesiones', CONFIRMATION_FORM, async (request, reply) => {
    const { account } = request.ctx
    sessions.renew(request, reply, await endOtherSessions(deps, account))
    return redirectWithNotice(reply, 'sesiones', ACCESS)
  })

  app.post<ById>('/sesiones/:id/cerrar', CONFIRMATION_FORM, async ({ ctx, params: { id } }, reply) => {
    if (!UUID.test(id) || !(await endSessionOf(store, ctx.account.id, id)))
      throw notFound(t('cuenta.access.sessionEnded'))
    return redirectWithNotice(reply, 'sesion-cerrada', `${ACCESS}#sesiones`)
  })

  secondFactorRoutes(app, deps)
}

async function accessPage(deps: PageDeps, request: PageRequest<AccountContext>, refused: Refused | undefined) {
  const { store, sessions, passkeys } = deps
  const { ctx } = request
  const { account } = ctx
  const current = sessions.idOf(request)
  const [open, factor, keys] = await Promise.all([
    listSessions(store, account, sessions.idleSince(account), current),
    secondFactorOf(store, account.id),
    listPasskeys(store, account.id),
  ])
  return (
    <PersonalPage
      ctx={ctx}
      section={ACCESS}
      title={t('cuenta.nav.acceso')}
      intro={t('cuenta.access.signsInWith', { email: account.email })}
    >
      <div class="measure">
        <Form
          action="/cuenta/nombre"
          class="sheet"
          button={t('cuenta.save')}
          {...(refused ?? { given: { Nombre: account.nombre, Apellido: account.apellido } })}
        >
          <fieldset>
            <legend>{t('cuenta.access.name')}</legend>
            <Fields fields={nameFields()} />
          </fieldset>
        </Form>
        {account.hasPassword && (
          <Section title={t('cuenta.access.password')}>
            <p>{t('cuenta.access.passwordHint')}</p>
            <SecondaryLink href="/cuenta/clave">{t('cuenta.access.changePassword')}</SecondaryLink>
          </Section>
        )}
        <SecondFactorSection ctx={ctx} factor={factor} keys={keys} takesPasskeys={passkeys.available} />
        <Section id="sesiones" title={t('cuenta.access.sessions')}>
          <p>{t('cuenta.access.sessionsHint', { hasPassword: account.hasPassword })}</p>
          <ul class="rows">
            {open.map((session) => (
              <SessionRow key={session.id} ctx={ctx} session={session} isThis={session.id === current} />
            ))}
          </ul>
          {open.length > 1 && (
            <PostButton action="/cuenta/sesiones" class="secondary">
              {t('cuenta.access.endOthers')}
            </PostButton>
          )}
        </Section>
      </div>
    </PersonalPage>
  )
}

function SessionRow({ ctx, session, isThis }: { ctx: AccountContext; session: OpenSession; isThis: boolean }) {
  const device = deviceName(session.userAgent)
  return (
    <NamedRow
      name={device}
      hint={rich('cuenta.access.session', {
        opened: <Moment at={session.openedAt} when={ctx} />,
        used: <Moment at={session.lastSeenAt} when={ctx} />,
      })}
      {...(isThis && { badge: t('cuenta.access.thisSession') })}
    >
      {!isThis && (
        <PostButton action={`/cuenta/sesiones/${session.id}/cerrar`} class="secondary small">
          {rich('cuenta.access.endSession', { device })}
        </PostButton>
      )}
    </NamedRow>
  )
}

const changePasswordPage = ({ ctx, errors }: { ctx: AccountContext; errors?: Errors }) => (
  <PersonalPage
    ctx={ctx}
    parentLink={{ href: ACCESS, label: t('cuenta.nav.acceso') }}
    title={t('cuenta.access.changePassword')}
    intro={t('cuenta.access.passwordHint')}
  >
    <Form action="/cuenta/clave" class="sheet measure" button={t('cuenta.save')} errors={errors}>
      <input type="hidden" name="Email" value={ctx.account.email} autocomplete="username" />
      <Fields fields={presentPassword()} />
      <NewPassword label={t('cuenta.access.next')} />
    </Form>
  </PersonalPage>
)
