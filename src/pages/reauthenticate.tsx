import type { FastifyReply, FastifyRequest } from 'fastify'
import { recover, wrongCode } from '../access/credentials.ts'
import type { Account } from '../accounts/account.ts'
import { isPasswordOf } from '../accounts/password.ts'
import { secondFactorOf, showCode } from '../accounts/second-factor.ts'
import type { Proof } from '../auth/session.ts'
import { withQuery } from '../http/links.ts'
import type { Errors } from '../http/problems.ts'
import { t } from '../i18n/messages.tsx'
import { CODE_INPUT, Field, Form } from './fields.tsx'
import { passwordField, textField } from './form.ts'
import { NarrowPage } from './layout.tsx'
import { page } from './page.ts'
import { allowPasskeys, PasskeyButton, passkeyAnswer, passkeyScript } from './passkey.tsx'
import type { PageDeps } from './signed-in.ts'

/** The fields of the proof begin with it; all others belong to the form that was sent. */
const PREFIX = 'Confirmar'
const PASSWORD = `${PREFIX}Clave`
const CODE = `${PREFIX}Codigo`

/**
 * True if the person proved lately who they are, or proves it with this form. Else they get a page that asks for it and
 * sends the same form again, so that nothing typed is lost.
 */
export async function reauthenticate(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account,
): Promise<boolean> {
  const { proof } = request.routeOptions.config
  if (request.method !== 'POST' || !proof || deps.sessions.isRecent(request, account, proof)) return true
  const { form } = request
  const given = [...form.keys()].some((name) => name.startsWith(PREFIX))
  const result = given ? await check(deps, request, account, proof) : { errors: undefined }
  if ('proven' in result) {
    for (const name of [...form.keys()]) if (name.startsWith(PREFIX)) form.delete(name)
    deps.sessions.renew(request, reply, account, result.proven)
    return true
  }
  await showProofForm(deps, request, reply, { account, proof, errors: result.errors })
  return false
}

/** A password does not replace the second factor where that is needed. */
const takesPassword = ({ hasPassword, secured }: Account, proof: Proof) => hasPassword && (proof === 'any' || !secured)

async function check(
  deps: PageDeps,
  { form }: FastifyRequest,
  account: Account,
  proof: Proof,
): Promise<{ proven: Proof } | { errors: Errors }> {
  const { attempts, store, seal, clock, passkeys } = deps
  const answer = passkeyAnswer(form, PREFIX)
  if (answer.response) {
    const owner = await passkeys.check(store, answer)
    return owner === account.id ? { proven: 'second' } : { errors: { _: [t('comun.proof.wrongPasskey')] } }
  }
  const code = textField(form, CODE)
  if (code) {
    // Somebody with a stolen session must be able to guess neither of them.
    const attempt = attempts.takeOwn(`codigo ${account.id}`)
    if ((await showCode(store, seal, account.id, code, clock())) || (await recover(deps, account, code))) {
      attempt.refund()
      return { proven: 'second' }
    }
    await wrongCode(deps, account, attempt.left)
    return { errors: { [CODE]: [t('comun.proof.wrongCode')] } }
  }
  if (!takesPassword(account, proof)) return { errors: { [CODE]: [t('comun.proof.missingCode')] } }
  const password = passwordField(form, PASSWORD)
  if (!password) return { errors: { [PASSWORD]: [t('comun.proof.missingPassword')] } }
  const attempt = attempts.takeOwn(`cuenta ${account.id}`)
  if (!(await isPasswordOf(store, account, password)))
    return { errors: { [PASSWORD]: [t('comun.proof.wrongPassword')] } }
  attempt.refund()
  return { proven: 'any' }
}

interface ProofForm {
  account: Account
  proof: Proof
  /** Of the proof that was given. */
  errors: Errors | undefined
}

/** Sends the page that asks for the proof, with the fields of the form that was sent. */
async function showProofForm(
  { store, passkeys, oidc }: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { account, proof, errors }: ProofForm,
): Promise<void> {
  const action = request.url
  const kept = [...request.form].filter(([name]) => !name.startsWith(PREFIX))
  const factor = await secondFactorOf(store, account.id)
  const ceremony = factor.passkeys > 0 ? await passkeys.offerSignIn(store, account.id) : undefined
  // What names the form after the sender has been at the provider.
  const atProvider = account.viaOidc ? oidc?.keep(request, reply, { action, fields: kept }) : undefined
  const withPassword = takesPassword(account, proof)
  const withCode = factor.totp || factor.recovery > 0
  const button = withPassword || withCode ? t('comun.proof.button') : undefined
  page(
    allowPasskeys(reply, ceremony),
    <NarrowPage
      title={t('comun.proof.title')}
      visitor={account}
      script={passkeyScript(ceremony)}
      lead={t('comun.proof.lead')}
    >
      <Form action={action} class="sheet" errors={errors} {...(button && { button })}>
        {kept.map(([name, value], at) => (
          <input key={at} type="hidden" name={name} value={value} />
        ))}
        {withPassword && (
          <Field
            name={PASSWORD}
            label={t('comun.proof.password')}
            more={{ type: 'password', autocomplete: 'current-password', autofocus: true }}
          />
        )}
        {withCode && (
          <Field
            name={CODE}
            label={withPassword ? t('comun.proof.orCode') : t('comun.proof.code')}
            hint={t('comun.proof.codeHint')}
            more={{ ...CODE_INPUT, required: !withPassword }}
          />
        )}
        {atProvider && (
          <p>
            <a href={withQuery('/entrar/oidc', { confirmar: atProvider })} class={button ? undefined : 'button'}>
              {t('comun.proof.oidc')}
            </a>
          </p>
        )}
        {ceremony && <PasskeyButton mode="get" ceremony={ceremony} prefix={PREFIX} label={t('comun.proof.passkey')} />}
      </Form>
    </NarrowPage>,
    errors ? 400 : 200,
  )
}
