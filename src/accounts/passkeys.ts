import { hash } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import sql from 'sql-template-tag'
import type { Clock } from '../clock.ts'
import { lazy, orUndefined } from '../memoize.ts'
import type { Db } from '../store/db.ts'
import type { Seal } from '../store/sealed.ts'
import { type Account, fullName } from './account.ts'

/** Loaded at its first use: it is large, and few requests need it. */
const webauthn = lazy(() => import('@simplewebauthn/server'))

const CHALLENGE_SECONDS = 600
export const PASSKEY_NAME_CHARACTERS = 40
/** Per account; more than anybody has devices. */
const MAX_PASSKEYS = 20
const SEAL_PURPOSE = 'passkey-challenge'

export interface Passkey {
  id: number
  nombre: string
  createdAt: Date
  lastUsedAt: Date | null
}

/** What a page gives to the browser: options for its script, and the challenge, sealed, for the form. */
export interface Ceremony {
  options: string
  token: string
}

/** What the browser answers. */
export interface CeremonyAnswer {
  response: string
  token: string
}

interface Challenge {
  challenge: string
  /** Of a registration. */
  accountId?: number
  /** Seconds. */
  expires: number
}

interface PasskeyDeps {
  publicUrl: string
  /** The marketplace's name, which browsers show beside a passkey. */
  nameOf: () => string
  seal: Seal
  clock: Clock
}

export type Passkeys = ReturnType<typeof createPasskeys>

/**
 * WebAuthn with user verification: a passkey is possession and a PIN or a finger, so it completes a sign-in by itself.
 * `available` is false where browsers refuse it: they need a host name, and https except on this machine.
 */
export function createPasskeys({ publicUrl, nameOf, seal, clock }: PasskeyDeps) {
  const { hostname: rpID, origin, protocol } = new URL(publicUrl)
  const isLocal = rpID === 'localhost' || rpID.endsWith('.localhost')
  const available = (protocol === 'https:' || isLocal) && isIP(rpID.replace(/^\[|\]$/g, '')) === 0
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true }
  const nowSeconds = () => Math.floor(clock().getTime() / 1000)

  const ceremony = (options: { challenge: string }, accountId?: number): Ceremony => {
    const contents: Challenge = {
      challenge: options.challenge,
      ...(accountId !== undefined && { accountId }),
      expires: nowSeconds() + CHALLENGE_SECONDS,
    }
    const token = seal.seal(JSON.stringify(contents), SEAL_PURPOSE).toString('base64url')
    return { options: JSON.stringify(options), token }
  }

  /** The challenge of a form, accepted once. */
  async function takeChallenge(db: Db, token: string): Promise<Challenge | undefined> {
    const contents = parse<Challenge>(() => seal.open(Buffer.from(token, 'base64url'), SEAL_PURPOSE))
    if (!contents || contents.expires <= nowSeconds()) return undefined
    const taken = await db.query(sql`
      insert into used_challenges (hash) values (${hash('sha256', contents.challenge, 'buffer')}) on conflict do nothing returning 1`)
    return taken.length > 0 ? contents : undefined
  }

  return {
    available,

    async offerRegistration(db: Db, account: Account): Promise<Ceremony> {
      const { generateRegistrationOptions } = await webauthn()
      const options = await generateRegistrationOptions({
        rpName: nameOf(),
        rpID,
        userName: account.email,
        userDisplayName: fullName(account),
        userID: new Uint8Array(seal.hash(`${account.id}`, 'passkey-user')),
        attestationType: 'none',
        excludeCredentials: await credentialsOf(db, account.id),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      })
      return ceremony(options, account.id)
    },

    /** Stores a new passkey. False where the browser's answer is not valid, too late or was sent twice. */
    async register(tx: Db, account: Account, answer: CeremonyAnswer, nombre: string): Promise<boolean> {
      const response = parse<RegistrationResponseJSON>(() => answer.response)
      const challenge = await takeChallenge(tx, answer.token)
      if (!response || challenge?.accountId !== account.id) return false
      const { verifyRegistrationResponse } = await webauthn()
      const verified = await verifyRegistrationResponse({
        response,
        expectedChallenge: challenge.challenge,
        ...expected,
      }).catch(() => undefined)
      if (!verified?.verified) return false
      const { id, publicKey, counter, transports } = verified.registrationInfo.credential
      return tx.changes(sql`
        insert into passkeys (account_id, credential_id, public_key, counter, transports, nombre)
        select ${account.id}, ${id}, ${Buffer.from(publicKey)}, ${counter}, ${validTransports(transports)}, ${nombre}
        where (select count(*) from passkeys where account_id = ${account.id}) < ${MAX_PASSKEYS}
        on conflict (credential_id) do nothing returning id`)
    },

    /** Without an account the browser offers all passkeys that it has for this site. */
    async offerSignIn(db: Db, accountId?: number): Promise<Ceremony> {
      const allowed = accountId === undefined ? {} : { allowCredentials: await credentialsOf(db, accountId) }
      const { generateAuthenticationOptions } = await webauthn()
      return ceremony(await generateAuthenticationOptions({ rpID, userVerification: 'required', ...allowed }))
    },

    /** The id of the account whose passkey answered. */
    async check(db: Db, answer: CeremonyAnswer): Promise<number | undefined> {
      const response = parse<AuthenticationResponseJSON>(() => answer.response)
      const challenge = await takeChallenge(db, answer.token)
      if (!isCredentialId(response?.id) || !challenge || challenge.accountId !== undefined) return undefined
      const [stored] = await db.query<{ accountId: number; publicKey: Buffer; counter: number }>(sql`
        select account_id as "accountId", public_key as "publicKey", counter
        from passkeys where credential_id = ${response.id}`)
      if (!stored) return undefined
      const { accountId, publicKey, counter } = stored
      const { verifyAuthenticationResponse } = await webauthn()
      const verified = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge.challenge,
        ...expected,
        credential: { id: response.id, publicKey: new Uint8Array(publicKey), counter },
      }).catch(() => undefined)
      if (!verified?.verified) return undefined
      await db.query(sql`
        update passkeys set counter = ${verified.authenticationInfo.newCounter}, last_used_at = ${clock()}
        where credential_id = ${response.id}`)
      return accountId
    },
  }
}

const isCredentialId = (id: unknown): id is string => typeof id === 'string' && /^[\w-]+$/.test(id)

/** Such as `usb` or `smart-card`: the browser sends them, and nothing has checked them. */
const validTransports = (sent: unknown): unknown[] =>
  Array.isArray(sent) ? sent.filter((each) => typeof each === 'string' && /^[a-z-]{1,20}$/.test(each)) : []

export const listPasskeys = (db: Db, accountId: number): Promise<Passkey[]> =>
  db.query<Passkey>(sql`
    select id, nombre, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where account_id = ${accountId} order by id`)

export const removePasskey = (tx: Db, accountId: number, id: number): Promise<boolean> =>
  tx.changes(sql`
    delete from passkeys where id = ${id} and account_id = ${accountId} returning id`)

export async function deleteUsedChallenges(db: Db): Promise<void> {
  await db.query(sql`delete from used_challenges where used_at < now() - interval '1 day'`)
}

const credentialsOf = (db: Db, accountId: number) =>
  db.query<{ id: string; transports: AuthenticatorTransport[] }>(sql`
    select credential_id as id, transports from passkeys where account_id = ${accountId} order by id`)

/** Undefined for what is not JSON; the library checks the members. */
function parse<T>(read: () => string): T | undefined {
  const value: unknown = orUndefined(() => JSON.parse(read()))
  return typeof value === 'object' && value !== null ? (value as T) : undefined
}
