import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** Who signs in at the provider next. */
export interface ProviderPerson {
  sub: string
  email: string
  groups: string[]
  email_verified?: boolean | undefined
  /** The methods that the provider states: with `mfa` a second factor was used. */
  amr?: string[]
}

const CLIENT = { id: 'rodado', secret: 'a secret of the client' }

/** A real OpenID provider on this machine, whose sign-in page lets in `person` without a question. */
export async function startOidcProvider(publicUrl: string) {
  const state: { person?: ProviderPerson; logins: number } = { logins: 0 }
  const people = new Map<string, ProviderPerson>()
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${publicUrl}/entrar/oidc/vuelta`],
        require_auth_time: true,
      },
    ],
    claims: {
      openid: ['sub', 'groups', 'amr'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    conformIdTokenClaims: false,
    cookies: { keys: ['only for this test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/entrar/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({
        given_name: 'Sol',
        family_name: 'Vega',
        email_verified: true,
        ...(people.get(sub) as ProviderPerson),
      }),
    }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId,
        accountId: ctx.oidc.session?.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.proxy = false
  const answer = provider.callback()
  async function handle(...[request, response]: Parameters<typeof answer>): Promise<void> {
    if (!request.url?.startsWith('/entrar/')) return answer(request, response)
    const { person } = state
    if (!person) throw new Error('Nobody signs in.')
    state.logins++
    people.set(person.sub, person)
    const login = { accountId: person.sub, amr: person.amr ?? ['pwd'] }
    return provider.interactionFinished(request, response, { login })
  }
  return {
    issuer,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_GROUPS: 'administradores=personal, soporte=lectura',
    },
    state,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Follows the provider's redirects as a browser does, and returns the address that leads back to us. */
export async function throughProvider(issuer: string, location: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = location
  for (let step = 0; url.startsWith(issuer) && step < 10; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    }
    const next = response.headers.get('location')
    if (!next) throw new Error(`The provider stays at ${url}: ${response.status} ${await response.text()}`)
    url = new URL(next, url).href
  }
  return url
}
