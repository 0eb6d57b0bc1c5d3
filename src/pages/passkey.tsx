import type { FastifyReply } from 'fastify'
import type { Ceremony, CeremonyAnswer } from '../accounts/passkeys.ts'
import { t } from '../i18n/messages.tsx'
import { allowScript } from './security.ts'

/** The policy and the script of a page that has such a button, if it does. */
export const allowPasskeys = (reply: FastifyReply, ceremony: Ceremony | undefined): FastifyReply =>
  ceremony ? allowScript(reply) : reply
export const passkeyScript = (ceremony: Ceremony | undefined) => (ceremony ? 'passkeys' : false)

/** The fields that the script fills in; `prefix` keeps them apart from those of another form. */
export const passkeyAnswer = (form: URLSearchParams, prefix = ''): CeremonyAnswer => ({
  response: form.get(`${prefix}Llave`) ?? '',
  token: form.get(`${prefix}Desafio`) ?? '',
})

interface PasskeyButtonProps {
  /** `get` uses a passkey, `create` makes one. */
  mode: 'get' | 'create'
  ceremony: Ceremony
  label: string
  prefix?: string
  /** True if it is the main way to continue, so that its button is not a secondary one. */
  primary?: boolean
}

/** A button within a form: the script uses the passkey and sends the form. Hidden without script (assets/passkey.js). */
export const PasskeyButton = ({ mode, ceremony, label, prefix = '', primary = false }: PasskeyButtonProps) => (
  <div
    class="passkey"
    data-passkey={mode}
    data-options={ceremony.options}
    data-cancelled={t('entrar.passkey.cancelled')}
    data-known={t('entrar.passkey.known')}
    hidden
  >
    <input type="hidden" name={`${prefix}Llave`} value="" />
    <input type="hidden" name={`${prefix}Desafio`} value={ceremony.token} />
    <button type="button" class={primary ? undefined : 'secondary'}>
      {label}
    </button>
    <p class="fault" role="alert" />
  </div>
)
