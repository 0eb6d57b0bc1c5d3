import { hash, randomBytes } from 'node:crypto'
import type { Once } from '../../http/idempotency.ts'
import type { Errors } from '../../http/problems.ts'
import { faultsInOrder } from '../form.ts'

/** The fields of the form, in the order of the page. */
export const FIELDS = ['Nombre', 'Apellido', 'Telefono', 'Email', 'Interes', 'Comentario'] as const

export type InquiryValues = Record<(typeof FIELDS)[number], string> & {
  /** The version of the text that was agreed to; empty: not yet. */
  Consentimiento: string
  /** Tells a form that is sent twice from two forms. */
  Envio: string
}

/** People do not see this field, so only bots fill it in. */
export const TRAP = 'Web'

const ENVIO = /^[\w-]{22}$/

export const newEnvio = (): string => randomBytes(16).toString('base64url')

export const emptyValues = (): InquiryValues => ({
  Nombre: '',
  Apellido: '',
  Telefono: '',
  Email: '',
  Interes: 'compra',
  Comentario: '',
  Consentimiento: '',
  Envio: newEnvio(),
})

/** What was posted, as it was typed. */
export const postedValues = (form: URLSearchParams): InquiryValues => {
  const values = Object.fromEntries(FIELDS.map((name) => [name, form.get(name) ?? '']))
  const Envio = form.get('Envio') ?? ''
  return {
    ...(values as Record<(typeof FIELDS)[number], string>),
    Consentimiento: form.get('Consentimiento') ?? '',
    Envio: ENVIO.test(Envio) ? Envio : newEnvio(),
  }
}

/** A form sent twice as it is, by an impatient finger, is one inquiry; changed, it is another. */
export function onceFor(aviso: number, { Envio, ...values }: InquiryValues): Once {
  const digest = hash('sha256', JSON.stringify([aviso, values]), 'hex')
  return { key: `${Envio}.${digest.slice(0, 32)}`, digest: Buffer.from(digest, 'hex') }
}

export const inOrder = (errors: Errors): Errors => faultsInOrder(errors, [...FIELDS, 'Consentimiento'])
