import type { FastifyInstance } from 'fastify'
import { auditAccount } from '../../access/credentials.ts'
import type { Account } from '../../accounts/account.ts'
import { staffByOidc } from '../../accounts/oidc-identity.ts'
import { OIDC_CALLBACK, type PendingForm } from '../../auth/oidc.ts'
import { withQuery } from '../../http/links.ts'
import { forbidden, notFound } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import { homeOf } from '../home-link.tsx'
import { NarrowPage } from '../layout.tsx'
import { HIDDEN, page } from '../page.ts'
import type { Query } from '../params.ts'
import { ButtonLink } from '../parts.tsx'
import { type PageDeps, safeReturn, seeOther } from '../signed-in.ts'

/** /entrar/oidc: the staff signs in at the marketplace's own provider. */
export function oidcRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { oidc, sessions, attempts, store } = deps

  app.get<{ Querystring: Query }>('/entrar/oidc', HIDDEN, async (request, reply) => {
    if (!oidc) throw notFound()
    const { volver, confirmar } = request.query
    try {
      const confirm = confirmar === undefined ? undefined : String(confirmar)
      const to = await oidc.start(request, reply, safeReturn(String(volver ?? '')), confirm)
      return reply.code(303).header('location', to).send()
    } catch (error) {
      request.log.warn({ err: error }, 'the OIDC provider did not answer')
      return page(reply, failedPage(t('entrar.oidc.noAnswer')), 503)
    }
  })

  app.get(OIDC_CALLBACK, HIDDEN, async (request, reply) => {
    if (!oidc) throw notFound()
    attempts.take({ ip: request.ip }).refund()
    const answer = await oidc.finish(request, reply).catch((error: unknown) => {
      request.log.warn({ err: error }, 'the answer of the OIDC provider was refused')
      return undefined
    })
    if (!answer) return page(reply, failedPage(t('entrar.oidc.badAnswer')), 400)
    const { person, authTime, secondFactor, volver, pending } = answer
    const account = await store.transaction((tx) => staffByOidc(tx, person))
    if (!account) return page(reply, failedPage(t('entrar.oidc.noGroup', { email: person.email })), 403)
    if (account === 'unverified')
      return page(reply, failedPage(t('entrar.oidc.unverified', { email: person.email })), 403)
    if (pending) {
      const inside = await sessions.signedIn(request)
      if (inside?.id !== account.id) throw forbidden(t('entrar.oidc.otherAccount'))
      sessions.renew(request, reply, account, secondFactor ? 'second' : 'any')
      return page(reply, confirmedPage({ account, pending }))
    }
    await auditAccount(store, account, 'sesion.abrir')
    sessions.open(reply, account, { secondFactor, provenAt: authTime, oidc: true })
    return seeOther(reply, secondFactor ? (volver ?? homeOf(account)) : withQuery('/entrar/codigo', { volver }))
  })
}

const failedPage = (lead: string) => (
  <NarrowPage title={t('entrar.oidc.failed')} visitor="signed-out" lead={lead} faulty={false}>
    <p>
      <ButtonLink href="/entrar">{t('entrar.oidc.back')}</ButtonLink>
    </p>
  </NarrowPage>
)

const confirmedPage = ({ account, pending }: { account: Account; pending: PendingForm }) => (
  <NarrowPage title={t('entrar.oidc.confirmed')} visitor={account} lead={t('entrar.oidc.confirmedLead')}>
    <form method="post" action={pending.action}>
      {pending.fields.map(([name, value], at) => (
        <input key={at} type="hidden" name={name} value={value} />
      ))}
      <button type="submit">{t('entrar.oidc.continue')}</button>
    </form>
  </NarrowPage>
)
