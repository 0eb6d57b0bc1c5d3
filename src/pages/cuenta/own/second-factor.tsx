import type { FastifyReply } from 'fastify'
import type { Account } from '../../../accounts/account.ts'
import { listPasskeys, type Passkey, removePasskey } from '../../../accounts/passkeys.ts'
import {
  lockAccount,
  offerSetup,
  removeTotp,
  removeUnusedCodes,
  renewRecoveryCodes,
  type SecondFactor,
  secondFactorOf,
} from '../../../accounts/second-factor.ts'
import { conflict, type Errors, notFound } from '../../../http/problems.ts'
import type { Db } from '../../../store/db.ts'
import type { Audience } from '../../app-shell.tsx'
import { serveConfirmation } from '../../confirm.tsx'
import { addPasskey, auditAccount, notifyOwner, securePhone } from '../../entrar/access.ts'
import { PasskeySetup, PhoneSetup, passkeyName, recoveryPage, wrongPasskey } from '../../entrar/code-routes.tsx'
import { DangerLink, FaultList } from '../../fields.tsx'
import { CONFIRMATION_FORM, PASSKEY_FORM, provenForm, textField } from '../../form.ts'
import { Moment } from '../../format.tsx'
import { type PageRequest, page } from '../../page.ts'
import { NamedRow, PostButton, SecondaryLink, Section } from '../../parts.tsx'
import { allowPasskeys, passkeyAnswer, passkeyScript } from '../../passkey.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type AccountContext, type AccountPages, PersonalPage } from '../context.tsx'

export const ACCESS = '/cuenta/acceso'
const PARENT = { href: ACCESS, label: 'Mi acceso' }
const WRONG_CODE =
  'El código no coincide. Revise que la hora del teléfono sea automática, y escriba el que muestra ahora.'

const PERSON: Audience<AccountContext, AccountContext> = { Page: PersonalPage, enter: (ctx) => ctx }

/** A change of the second factor needs the present one, where there is one: a password alone must not remove it. */
const SECOND_FACTOR_FORM = provenForm(CONFIRMATION_FORM, 'second')

/** /cuenta/telefono, /cuenta/llaves and /cuenta/codigos: one's own second factor. */
export function secondFactorRoutes(app: AccountPages, deps: PageDeps): void {
  const { store, seal, sessions, passkeys, config } = deps
  type Request = PageRequest<AccountContext>

  function showPhone(request: Request, reply: FastifyReply, errors?: Errors) {
    const { ctx } = request
    const session = sessions.idOf(request)
    if (!session) throw conflict({}, 'Salga y entre otra vez para configurar el segundo paso.')
    const setup = offerSetup(seal, { ...ctx.account, session }, config.brand.current().nombre)
    return page(
      reply,
      <PersonalPage ctx={ctx} section={ACCESS} title="App de códigos" parentLink={PARENT} faulty={Boolean(errors)}>
        <div class="measure">
          {ctx.account.secured && (
            <p>Si ya usa una app en otro teléfono, esta la reemplaza, y los códigos de recuperación son nuevos.</p>
          )}
          <PhoneSetup account={ctx.account} setup={setup} action="/cuenta/telefono" errors={errors} />
        </div>
      </PersonalPage>,
      errors ? 400 : 200,
    )
  }

  app.get('/telefono', (request, reply) => showPhone(request, reply))

  app.post('/telefono', SECOND_FACTOR_FORM, async (request, reply) => {
    const { ctx, form } = request
    const session = sessions.idOf(request)
    const attempt = deps.attempts.takeOwn(`codigo ${ctx.account.id}`)
    const secured = session && (await securePhone(deps, ctx.account, session, textField(form, 'Codigo')))
    if (!secured) return showPhone(request, reply, { Codigo: [WRONG_CODE] })
    attempt.refund()
    sessions.renew(request, reply, secured.account, 'second')
    return page(reply, recoveryPage({ ...secured, next: ACCESS }))
  })

  /** Throws, and so undoes the transaction, where a member of the staff would be left without a second factor. */
  async function requireOneLeft(tx: Db, { id, staff }: Account): Promise<void> {
    const { totp, passkeys: keys } = await secondFactorOf(tx, id)
    if (staff && !totp && keys === 0) throw conflict({}, 'El personal necesita un segundo paso: agregue otro primero.')
    await removeUnusedCodes(tx, id)
  }

  serveConfirmation(app, '/telefono/quitar', {
    audience: PERSON,
    section: ACCESS,
    form: SECOND_FACTOR_FORM,
    async load(_: unknown, { account }) {
      if (!(await secondFactorOf(store, account.id)).totp) throw notFound('No tiene una app de códigos.')
      return account
    },
    parentLink: () => PARENT,
    question: () => ({
      title: '¿Quitar la app de códigos?',
      button: 'Sí, quitar',
      consequences: ['Sus códigos dejan de servir para entrar.', 'Le avisamos por correo.'],
    }),
    act: (account) =>
      store.transaction(async (tx) => {
        await lockAccount(tx, account.id)
        await removeTotp(tx, account.id)
        await requireOneLeft(tx, account)
        await auditAccount(tx, account, 'segundo-paso.quitar')
        await notifyOwner(tx, deps, account, { hecho: 'quitado' })
      }),
    notice: 'telefono-quitado',
  })

  async function showNewPasskey({ ctx }: Request, reply: FastifyReply, errors?: Errors) {
    if (!passkeys.available) throw notFound('Este sitio no puede usar llaves de acceso.')
    const ceremony = await passkeys.offerRegistration(store, ctx.account)
    return page(
      allowPasskeys(reply, ceremony),
      <PersonalPage
        ctx={ctx}
        section={ACCESS}
        title="Agregar una llave de acceso"
        parentLink={PARENT}
        script={passkeyScript(ceremony)}
        faulty={Boolean(errors)}
      >
        <div class="measure">
          <FaultList errors={errors} />
          <PasskeySetup action="/cuenta/llaves" ceremony={ceremony} />
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
      if (!key) throw notFound('No tiene una llave así.')
      return { key, account }
    },
    parentLink: () => PARENT,
    question: ({ key }) => ({
      title: `¿Quitar la llave «${key.nombre}»?`,
      button: 'Sí, quitar',
      consequences: ['Ya no sirve para entrar.', 'Le avisamos por correo.'],
    }),
    act: ({ key, account }) =>
      store.transaction(async (tx) => {
        await lockAccount(tx, account.id)
        await removePasskey(tx, account.id, key.id)
        await requireOneLeft(tx, account)
        await auditAccount(tx, account, 'llave.quitar')
        await notifyOwner(tx, deps, account, { hecho: 'llaveQuitada' })
      }),
    notice: 'llave-quitada',
  })

  app.post('/codigos', SECOND_FACTOR_FORM, async ({ ctx: { account } }, reply) => {
    if (!account.secured) throw notFound('No tiene un segundo paso.')
    const codes = await store.transaction(async (tx) => {
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
  <Section id="segundo-paso" title="Segundo paso">
    {ctx.account.secured ? (
      <ul class="rows">
        {factor.totp && (
          <NamedRow name="App de códigos" hint="Un código de seis cifras en su teléfono">
            <span class="row">
              <a href="/cuenta/telefono">Cambiar de teléfono</a>
              <DangerLink href="/cuenta/telefono/quitar" label="Quitar" to="la app de códigos" />
            </span>
          </NamedRow>
        )}
        {keys.map((key) => (
          <NamedRow key={key.id} name={key.nombre} hint={<KeyHint ctx={ctx} passkey={key} />}>
            <DangerLink href={`/cuenta/llaves/${key.id}/quitar`} label="Quitar" to={`la llave ${key.nombre}`} />
          </NamedRow>
        ))}
        <NamedRow name="Códigos de recuperación" hint={<CodesHint left={factor.recovery} />}>
          <PostButton action="/cuenta/codigos" class="secondary small">
            Hacer diez nuevos
          </PostButton>
        </NamedRow>
      </ul>
    ) : (
      <p>
        Protege su cuenta aunque otra persona sepa su contraseña: para entrar hace falta también su teléfono o una llave
        de acceso.
      </p>
    )}
    <p class="row">
      {!factor.totp && <SecondaryLink href="/cuenta/telefono">Usar una app de códigos</SecondaryLink>}
      {takesPasskeys && <SecondaryLink href="/cuenta/llaves/nueva">Agregar una llave de acceso</SecondaryLink>}
    </p>
  </Section>
)

const KeyHint = ({ ctx, passkey }: { ctx: AccountContext; passkey: Passkey }) => (
  <>
    Llave de acceso · agregada <Moment at={passkey.createdAt} when={ctx} />
    {passkey.lastUsedAt && (
      <>
        {' '}
        · usada <Moment at={passkey.lastUsedAt} when={ctx} />
      </>
    )}
  </>
)

const CodesHint = ({ left }: { left: number }) => (
  <>
    {left === 1 ? 'Le queda 1 código' : `Le quedan ${left} códigos`} para entrar sin su teléfono ni su llave
    {left < FEW_CODES && <strong>: haga otros antes de que se terminen</strong>}.
  </>
)
