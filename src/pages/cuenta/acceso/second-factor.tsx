import type { FastifyReply } from 'fastify'
import { addPasskey, auditAccount, lockOwnAccount, notifyOwner, securePhone } from '../../../access/credentials.ts'
import type { Account } from '../../../accounts/account.ts'
import { listPasskeys, type Passkey, removePasskey } from '../../../accounts/passkeys.ts'
import {
  offerSetup,
  removeTotp,
  removeUnusedCodes,
  renewRecoveryCodes,
  type SecondFactor,
  secondFactorOf,
} from '../../../accounts/second-factor.ts'
import { conflict, type Errors, notFound } from '../../../http/problems.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import type { Db } from '../../../store/db.ts'
import type { Audience } from '../../app-shell.tsx'
import { serveConfirmation } from '../../confirm.tsx'
import { PasskeySetup, PhoneSetup, passkeyName, recoveryPage, wrongPasskey } from '../../entrar/code-routes.tsx'
import { DangerLink, FaultList, Hidden } from '../../fields.tsx'
import { CONFIRMATION_FORM, PASSKEY_FORM, provenForm, textField } from '../../form.ts'
import { Moment } from '../../format.tsx'
import { type PageRequest, page } from '../../page.ts'
import { NamedRow, PostButton, SecondaryLink, Section } from '../../parts.tsx'
import { passkeyAnswer, passkeyScript } from '../../passkey.tsx'
import { type PageDeps, redirectWithNotice, seeOther } from '../../signed-in.ts'
import { type AccountContext, PersonalPage, type PersonPages } from '../context.tsx'

export const ACCESS = '/cuenta/acceso'
const parent = () => ({ href: ACCESS, label: t('cuenta.nav.acceso') })

const PERSON: Audience<AccountContext> = { Page: PersonalPage }

/** A change of the second factor needs the present one, where there is one: a password alone must not remove it. */
const SECOND_FACTOR_FORM = provenForm(CONFIRMATION_FORM, 'second')

/** /cuenta/telefono, /cuenta/llaves and /cuenta/codigos: one's own second factor. */
export function secondFactorRoutes(app: PersonPages, deps: PageDeps): void {
  phoneRoutes(app, deps)
  passkeyRoutes(app, deps)
  codesRoute(app, deps)
}

type Request = PageRequest<AccountContext>

function phoneRoutes(app: PersonPages, deps: PageDeps): void {
  const { store, seal, sessions, config } = deps

  function showPhone(request: Request, reply: FastifyReply, errors?: Errors) {
    const { ctx } = request
    const session = sessions.idOf(request)
    if (!session) throw conflict({}, t('cuenta.second.signInAgain'))
    const setup = offerSetup(seal, { ...ctx.account, session }, config.brand.current().nombre)
    return page(
      reply,
      <PersonalPage ctx={ctx} title={t('cuenta.second.app')} parentLink={parent()}>
        <div class="measure">
          {ctx.account.secured && <p>{t('cuenta.second.replaces')}</p>}
          <PhoneSetup account={ctx.account} setup={setup} action="/cuenta/telefono" errors={errors}>
            <Hidden values={{ Version: ctx.account.version }} />
          </PhoneSetup>
        </div>
      </PersonalPage>,
      errors ? 400 : 200,
    )
  }

  app.get('/telefono', (request, reply) => showPhone(request, reply))

  app.post('/telefono', SECOND_FACTOR_FORM, async (request, reply) => {
    const { ctx, form } = request
    // The page of recovery codes, loaded again, sends the form that set up the phone: its offer has ended.
    if (Number(form.get('Version') ?? ctx.account.version) < ctx.account.version) return seeOther(reply, ACCESS)
    const session = sessions.idOf(request)
    const attempt = deps.attempts.takeOwn(`codigo ${ctx.account.id}`)
    const secured = session && (await securePhone(deps, ctx.account, session, textField(form, 'Codigo')))
    if (!secured) return showPhone(request, reply, { Codigo: [t('entrar.code.wrongSetup')] })
    attempt.refund()
    sessions.renew(request, reply, secured.account, 'second')
    return page(reply, recoveryPage({ ...secured, next: ACCESS }))
  })

  serveConfirmation(app, '/telefono/quitar', {
    audience: PERSON,
    section: ACCESS,
    form: SECOND_FACTOR_FORM,
    async load(_: unknown, { account }) {
      if (!(await secondFactorOf(store, account.id)).totp) throw notFound(t('cuenta.second.noApp'))
      return account
    },
    parentLink: parent,
    question: () => ({
      title: t('cuenta.second.removeApp'),
      button: t('cuenta.yesRemove'),
      consequences: [t('cuenta.second.appCodesEnd'), t('cuenta.second.mail')],
    }),
    act: (account) =>
      removeFactor(deps, account, {
        remove: (tx) => removeTotp(tx, account.id),
        act: 'segundo-paso.quitar',
        hecho: 'quitado',
      }),
    notice: 'telefono-quitado',
  })
}

function passkeyRoutes(app: PersonPages, deps: PageDeps): void {
  const { store, sessions, passkeys } = deps

  async function showNewPasskey({ ctx }: Request, reply: FastifyReply, errors?: Errors) {
    if (!passkeys.available) throw notFound(t('cuenta.second.noPasskeys'))
    const ceremony = await passkeys.offerRegistration(store, ctx.account)
    return page(
      reply,
      <PersonalPage
        ctx={ctx}
        title={t('cuenta.second.addPasskey')}
        parentLink={parent()}
        script={passkeyScript(ceremony)}
      >
        <div class="measure">
          <FaultList errors={errors} />
          <PasskeySetup action="/cuenta/llaves" ceremony={ceremony} primary />
        </div>
      </PersonalPage>,
      errors ? 400 : 200,
    )
  }

  app.get('/llaves/nueva', (request, reply) => showNewPasskey(request, reply))

  app.post('/llaves', provenForm(PASSKEY_FORM, 'second'), async (request, reply) => {
    const { ctx, form } = request
    const added = await addPasskey(deps, ctx.account, passkeyAnswer(form), passkeyName(form))
    if (!added) return showNewPasskey(request, reply, { _: [wrongPasskey()] })
    sessions.renew(request, reply, { ...ctx.account, secured: true }, 'second')
    if (!added.codes) return redirectWithNotice(reply, 'llave-agregada', ACCESS)
    return page(reply, recoveryPage({ account: ctx.account, codes: added.codes, next: ACCESS }))
  })

  serveConfirmation(app, '/llaves/:id/quitar', {
    audience: PERSON,
    section: ACCESS,
    form: SECOND_FACTOR_FORM,
    async load({ id }: { id: string }, { account }) {
      const key = (await listPasskeys(store, account.id)).find((each) => String(each.id) === id)
      if (!key) throw notFound(t('cuenta.second.noSuchKey'))
      return { key, account }
    },
    parentLink: parent,
    question: ({ key }) => ({
      title: t('cuenta.second.removeKey', { name: key.nombre }),
      button: t('cuenta.yesRemove'),
      consequences: [t('cuenta.second.keyEnds'), t('cuenta.second.mail')],
    }),
    act: ({ key, account }) =>
      removeFactor(deps, account, {
        remove: (tx) => removePasskey(tx, account.id, key.id),
        act: 'llave.quitar',
        hecho: 'llaveQuitada',
      }),
    notice: 'llave-quitada',
  })
}

interface Removal {
  remove(tx: Db): Promise<unknown>
  act: string
  hecho: Parameters<typeof notifyOwner>[3]['hecho']
}

/** Refuses to leave a member of the staff without a second factor. */
const removeFactor = (deps: PageDeps, account: Account, { remove, act, hecho }: Removal): Promise<void> =>
  deps.store.transaction(async (tx) => {
    await lockOwnAccount(tx, account)
    await remove(tx)
    const { totp, passkeys } = await secondFactorOf(tx, account.id)
    if (account.staff && !totp && passkeys === 0) throw conflict({}, t('cuenta.second.staffNeeds'))
    await removeUnusedCodes(tx, account.id)
    await auditAccount(tx, account, act)
    await notifyOwner(tx, deps, account, { hecho })
  })

function codesRoute(app: PersonPages, deps: PageDeps): void {
  const { store, seal } = deps
  app.post('/codigos', SECOND_FACTOR_FORM, async ({ ctx: { account } }, reply) => {
    if (!account.secured) throw notFound(t('cuenta.second.none'))
    const codes = await store.transaction(async (tx) => {
      await lockOwnAccount(tx, account)
      await auditAccount(tx, account, 'codigos-de-recuperacion.renovar')
      await notifyOwner(tx, deps, account, { hecho: 'codigos' })
      return renewRecoveryCodes(tx, seal, account.id)
    })
    return page(reply, recoveryPage({ account, codes, next: ACCESS }))
  })
}

/** Below this number the page suggests new codes. */
const FEW_CODES = 3

interface SectionProps {
  ctx: AccountContext
  factor: SecondFactor
  keys: Passkey[]
  takesPasskeys: boolean
}

/** The second factor, on the page of one's own access. */
export const SecondFactorSection = ({ ctx, factor, keys, takesPasskeys }: SectionProps) => (
  <Section id="segundo-paso" title={t('cuenta.second.title')}>
    {ctx.account.secured ? (
      <ul class="rows">
        {factor.totp && (
          <NamedRow name={t('cuenta.second.app')} hint={t('cuenta.second.appHint')}>
            <span class="row">
              <a href="/cuenta/telefono">{t('cuenta.second.changePhone')}</a>
              <DangerLink href="/cuenta/telefono/quitar" label={t('cuenta.remove')} to={t('cuenta.second.theApp')} />
            </span>
          </NamedRow>
        )}
        {keys.map((key) => (
          <NamedRow key={key.id} name={key.nombre} hint={<KeyHint ctx={ctx} passkey={key} />}>
            <DangerLink
              href={`/cuenta/llaves/${key.id}/quitar`}
              label={t('cuenta.remove')}
              to={t('cuenta.second.theKey', { name: key.nombre })}
            />
          </NamedRow>
        ))}
        <NamedRow name={t('cuenta.second.recovery')} hint={<CodesHint left={factor.recovery} />}>
          <PostButton action="/cuenta/codigos" class="secondary small">
            {t('cuenta.second.newCodes')}
          </PostButton>
        </NamedRow>
      </ul>
    ) : (
      <p>{t('cuenta.second.why', { hasPassword: ctx.account.hasPassword })}</p>
    )}
    <p class="row">
      {!factor.totp && <SecondaryLink href="/cuenta/telefono">{t('cuenta.second.useApp')}</SecondaryLink>}
      {takesPasskeys && <SecondaryLink href="/cuenta/llaves/nueva">{t('cuenta.second.addPasskey')}</SecondaryLink>}
    </p>
  </Section>
)

function KeyHint({ ctx, passkey: { createdAt, lastUsedAt } }: { ctx: AccountContext; passkey: Passkey }) {
  const added = <Moment at={createdAt} when={ctx} />
  if (!lastUsedAt) return rich('cuenta.second.keyAdded', { added })
  return rich('cuenta.second.keyUsed', { added, used: <Moment at={lastUsedAt} when={ctx} /> })
}

const CodesHint = ({ left }: { left: number }) => (
  <>
    {t('cuenta.second.codesLeft', { count: left })}{' '}
    {left < FEW_CODES && <strong>{t('cuenta.second.fewCodes', { count: left })}</strong>}{' '}
    {left > 0 && t('cuenta.second.codesReplaced')}
  </>
)
