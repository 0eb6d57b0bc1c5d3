import type { Modo } from '../modo.ts'
import { MAIL_CHARACTERS } from '../text.ts'

export { MAIL_CHARACTERS }

/** A person who signs in. An address has one account in each mode, so that test data reveals nothing about production. */
export interface Account {
  id: number
  modo: Modo
  email: string
  nombre: string
  apellido: string
  /** Part of every session: increasing it ends them all. */
  version: number
  /** False for an invited person who has not chosen a password yet. */
  hasPassword: boolean
  /** True for the marketplace's staff, who see everything. */
  staff: boolean
  /** True for staff who may read everything and change nothing. */
  readOnly: boolean
  /** True for staff who belong to it by their groups at the marketplace's provider (OIDC): they sign in there. */
  viaOidc: boolean
  /** True for a member of any app's team. */
  develops: boolean
  /** The language of emails to this person, `es`, `pt` or `en`; null for somebody who neither chose one nor joined on a page. */
  idioma: string | null
  /** True for an account with a second factor: codes of an app on a phone, or a passkey. */
  secured: boolean
}

/** True for an invited person who chooses a name and a password. Others sign in: with a password, or at the provider. */
export const isNewcomer = ({ id, hasPassword, viaOidc }: Account, signedIn: Account | undefined): boolean =>
  !hasPassword && !viaOidc && signedIn?.id !== id

/** What somebody is in an app's team. */
export const MEMBER_ROLES = ['titular', 'desarrollador'] as const
export type MemberRol = (typeof MEMBER_ROLES)[number]

export const fullName = ({ nombre, apellido, email }: Pick<Account, 'nombre' | 'apellido' | 'email'>): string =>
  [nombre, apellido].filter(Boolean).join(' ') || email

/** Of a first name or a surname. */
export const NAME_CHARACTERS = 50
const MAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/

/** True for an address in lower case, as accounts store it. */
export const isMailAddress = (text: string, most = MAIL_CHARACTERS): boolean => text.length <= most && MAIL.test(text)
