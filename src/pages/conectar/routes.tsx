import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import { findApp } from '../../apps/store.ts'
import { notFound } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import type { Agencia, Permisos } from '../../resources/agencias/agencia.ts'
import { connect } from '../../resources/agencias/associations.ts'
import { agenciaOfAccount, asociacionesOf } from '../../resources/agencias/read.ts'
import { SignInForm } from '../entrar/routes.tsx'
import { CONFIRMATION_FORM } from '../form.ts'
import { NarrowPage } from '../layout.tsx'
import { HIDDEN, page } from '../page.ts'
import { ButtonLink, SecondaryLink, Section } from '../parts.tsx'
import { AlwaysAllowed, PermissionTicks, permissionsIn } from '../permissions.tsx'
import { type ByAppKey, type PageDeps, redirectWithNotice, signedInContext } from '../signed-in.ts'

/** /conectar/{AppKey}: a registered agency associates an app. */
export function connectRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, sessions } = deps

  const presentPermisos = async (agencia: Agencia, { id }: App): Promise<Permisos | undefined> =>
    (await asociacionesOf(store, agencia.id)).find(({ app }) => app.id === id)

  /** The app and the agency that the person may associate; otherwise it shows why not. */
  async function open(request: FastifyRequest<ByAppKey>, reply: FastifyReply) {
    const found = await findApp(store, request.params.appKey)
    const account = await sessions.signedIn(request)
    if (!found || found.disabled || (account && account.modo !== found.modo)) throw notFound()
    if (!account) return void page(reply, connectSignInPage(found))
    const agencia = await agenciaOfAccount(store, account)
    if (agencia?.rol === 'administrador') return { app: found, account, agencia }
    const isPresent = agencia !== undefined && (await presentPermisos(agencia, found)) !== undefined
    return void page(reply, cannotConnectPage(found, account, agencia, isPresent), 403)
  }

  app.get<ByAppKey>('/conectar/:appKey', HIDDEN, async (request, reply) => {
    const found = await open(request, reply)
    if (!found) return reply
    const { app: partner, account, agencia } = found
    const present = await presentPermisos(agencia, partner)
    return page(reply, connectPage(partner, account, agencia, present))
  })

  app.post<ByAppKey>('/conectar/:appKey', CONFIRMATION_FORM, async (request, reply) => {
    const found = await open(request, reply)
    if (!found) return reply
    const { app: partner, account, agencia } = found
    const permisos = permissionsIn(request.form)
    const { change } = signedInContext(deps, request, reply, account, 'agencia')
    await change(
      { act: 'agencia.asociar', subject: agencia.adminMail, detail: { app: partner.appKey, ...permisos } },
      (tx) => connect({ ...deps, store: tx }, partner, agencia, permisos, account),
    )
    return redirectWithNotice(reply, 'asociada')
  })
}

/** A person who follows an app's link signs in first. */
const connectSignInPage = (app: App) => (
  <NarrowPage
    title={t('registro.accept.title', { app: app.nombre })}
    heading={t('registro.connect.heading', { app: app.nombre })}
    lead={t('registro.connect.signIn')}
  >
    <SignInForm volver={`/conectar/${app.appKey}`} modo={app.modo} />
  </NarrowPage>
)

/** The permissions that the app asks for: none is preselected, unless it has some already. */
const connectPage = (app: App, account: Account, agencia: Agencia, present: Permisos | undefined) => (
  <NarrowPage
    title={t('registro.accept.title', { app: app.nombre })}
    heading={t(present ? 'registro.connect.presentHeading' : 'registro.accept.heading', {
      app: app.nombre,
      agencia: agencia.nombre,
    })}
    visitor={account}
    lead={t(present ? 'registro.connect.present' : 'registro.connect.lead')}
  >
    <Section title={t('registro.connect.always')}>
      <AlwaysAllowed />
    </Section>
    <form method="post" action={`/conectar/${app.appKey}`} class="sheet">
      <fieldset>
        <legend>{t('registro.connect.asks')}</legend>
        <PermissionTicks permisos={present} />
      </fieldset>
      <div class="row">
        <button type="submit">{t(present ? 'comun.permission.save' : 'registro.connect.button')}</button>
        <SecondaryLink href="/cuenta">{t('registro.notNow')}</SecondaryLink>
      </div>
    </form>
  </NarrowPage>
)

/** Only an agency's administrator decides which apps see it; `agencia` is where the person works, if anywhere. */
const cannotConnectPage = (app: App, account: Account, agencia: Agencia | undefined, isPresent: boolean) => (
  <NarrowPage
    title={t('registro.connect.cannot')}
    visitor={account}
    lead={
      agencia
        ? t(isPresent ? 'registro.connect.cannotPresent' : 'registro.connect.cannotColleague', {
            agencia: agencia.nombre,
            email: agencia.adminMail,
            app: app.nombre,
          })
        : t('registro.connect.cannotNobody', { app: app.nombre })
    }
  >
    <p>
      <ButtonLink href="/cuenta">{t('comun.refusal.account')}</ButtonLink>
    </p>
  </NarrowPage>
)
