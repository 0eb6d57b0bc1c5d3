import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { isMailAddress, NAME_CHARACTERS } from '../accounts/account.ts'
import type { OidcPerson } from '../accounts/oidc-identity.ts'
import type { Config } from '../config.ts'
import type { Seal } from '../store/sealed.ts'
import { truncate } from '../text.ts'
import { sealedCookie } from './sealed-cookie.ts'

const COOKIE = 'rodado_oidc'
const COOKIE_SECONDS = 600
const TIMEOUT_SECONDS = 10
/** How old the sign-in at the provider may be, in seconds: as long as a second factor of ours counts. */
const MAX_AGE = 12 * 3600
/** How old the sign-in may be, in seconds, where the person confirms who they are. */
const MAX_AGE_TO_CONFIRM = 300

export const OIDC_CALLBACK = '/entrar/oidc/vuelta'

/** A form that waits until its sender has confirmed who they are. */
export interface PendingForm {
  action: string
  fields: [name: string, value: string][]
}

/** A sign-in that was started, or a form that waits for one. Each tab of a browser may have its own. */
interface Started {
  state: string
  nonce?: string
  verifier?: string
  volver?: string | undefined
  pending?: PendingForm | undefined
}

/** As JSON; sealed and in base64 it fits into the 4 KB that browsers take. */
const MAX_COOKIE_BYTES = 2_800

interface OidcDeps {
  config: Pick<Config, 'oidc' | 'publicUrl'>
  seal: Seal
}

export type Oidc = ReturnType<typeof createOidc>

/** Reads the provider's own description; throws unless it names the same issuer. */
export function discoverProvider({
  issuer,
  clientId,
  clientSecret,
}: NonNullable<Config['oidc']>): Promise<Configuration> {
  const execute = new URL(issuer).protocol === 'http:' ? [allowInsecureRequests] : []
  return discovery(new URL(issuer), clientId, clientSecret, undefined, { execute, timeout: TIMEOUT_SECONDS })
}

interface OidcSignIn {
  person: OidcPerson
  /** When the person signed in at the provider, in seconds. */
  authTime: number
  /** True if the provider states more than one factor (`amr`, RFC 8176). */
  secondFactor: boolean
  volver: string | undefined
  pending: PendingForm | undefined
}

/** Sign-in at the marketplace's own provider: authorization code with PKCE. Undefined where it is not configured. */
export function createOidc({ config: { oidc: configured, publicUrl }, seal }: OidcDeps) {
  if (!configured) return undefined
  const oidc = configured
  const { groups, groupsClaim } = oidc
  const cookie = sealedCookie<{ started: Started[] }>(seal, COOKIE, 'oidc', COOKIE_SECONDS)
  let discovered: Promise<Configuration> | undefined

  /** Read at the first use, and again after a failure: the provider may be down when we start. */
  function provider(): Promise<Configuration> {
    discovered ??= discoverProvider(oidc)
    discovered.catch(() => {
      discovered = undefined
    })
    return discovered
  }

  const startedIn = (request: FastifyRequest): Started[] => cookie.read(request)?.started ?? []

  /** Without the oldest, where there are too many. */
  function write(reply: FastifyReply, started: Started[]): void {
    let fitting = started
    while (fitting.length > 1 && Buffer.byteLength(JSON.stringify(fitting)) > MAX_COOKIE_BYTES)
      fitting = fitting.slice(1)
    if (fitting.length > 0) cookie.write(reply, { started: fitting })
    else cookie.clear(reply)
  }

  return {
    /** The address of the provider's page. With `confirm`, from `keep`, it asks who is signed in to prove it again. */
    async start(request: FastifyRequest, reply: FastifyReply, volver: string | undefined, confirm: string | undefined) {
      const started = startedIn(request)
      const waiting = started.find(({ state }) => state === confirm)
      const state = waiting?.state ?? randomState()
      const nonce = randomNonce()
      const verifier = randomPKCECodeVerifier()
      const url = buildAuthorizationUrl(await provider(), {
        redirect_uri: publicUrl + OIDC_CALLBACK,
        scope: 'openid email profile',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        max_age: String(confirm !== undefined ? MAX_AGE_TO_CONFIRM : MAX_AGE),
        ...(confirm !== undefined && { prompt: 'login' }),
      })
      const others = started.filter((each) => each !== waiting)
      write(reply, [...others, { state, nonce, verifier, volver, pending: waiting?.pending }])
      return url.href
    },

    /** Stores a form until its sender comes back from the provider; returns what names it. */
    keep(request: FastifyRequest, reply: FastifyReply, pending: PendingForm): string {
      const started = startedIn(request)
      const same = started.find((each) => isDeepStrictEqual(each.pending, pending))
      const waiting = same ?? { state: randomState(), pending }
      write(reply, [...started.filter((each) => each !== same), waiting])
      return waiting.state
    },

    /** The person that the provider sent back; throws where its answer is not valid. */
    async finish(request: FastifyRequest, reply: FastifyReply): Promise<OidcSignIn> {
      const answer = new URL(request.url, publicUrl)
      const started = startedIn(request)
      const own = started.find(({ state }) => state === answer.searchParams.get('state'))
      const { state, nonce, verifier, volver, pending } = own ?? {}
      if (own)
        write(
          reply,
          started.filter((each) => each !== own),
        )
      if (!state || !nonce || !verifier) throw new Error('There is no sign-in under way in this browser.')
      const configuration = await provider()
      const tokens = await authorizationCodeGrant(configuration, answer, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        maxAge: pending ? MAX_AGE_TO_CONFIRM : MAX_AGE,
      })
      const idToken = tokens.claims()
      if (!idToken) throw new Error('The provider sent no ID token.')
      const complete = idToken.email !== undefined && idToken[groupsClaim] !== undefined
      const more = complete ? {} : await fetchUserInfo(configuration, tokens.access_token, idToken.sub)
      const claims: Record<string, unknown> = { ...more, ...idToken }
      return {
        person: { issuer: idToken.iss, subject: idToken.sub, ...describe(claims), rol: roleOf(claims[groupsClaim]) },
        authTime: idToken.auth_time ?? 0,
        secondFactor: Array.isArray(claims.amr) && claims.amr.includes('mfa'),
        volver,
        pending,
      }
    },
  }

  /** The first of the configured groups that the person is in decides. */
  function roleOf(claim: unknown) {
    const own = Array.isArray(claim) ? claim : [claim]
    return groups.find(({ group }) => own.includes(group))?.rol
  }
}

function describe(
  claims: Record<string, unknown>,
): Pick<OidcPerson, 'email' | 'emailVerified' | 'nombre' | 'apellido'> {
  const textOf = (name: string) => (typeof claims[name] === 'string' ? claims[name].trim() : '')
  const email = textOf('email').toLowerCase()
  if (!isMailAddress(email) || claims.email_verified === false)
    throw new Error('The provider sent no verified email address.')
  const name = (text: string) => truncate(text, NAME_CHARACTERS)
  return {
    email,
    emailVerified: claims.email_verified === true,
    nombre: name(textOf('given_name') || textOf('name')),
    apellido: name(textOf('family_name')),
  }
}
