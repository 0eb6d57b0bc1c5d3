import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { type MemberRol, membershipOf } from '../../accounts/members.ts'
import type { App } from '../../apps/app.ts'
import { findApp } from '../../apps/store.ts'
import { forbidden, notFound } from '../../http/problems.ts'
import { type PageDeps, requireSignedIn } from '../signed-in.ts'

/** A member of an app's team. */
export interface Developer {
  account: Account
  app: App
  rol: MemberRol
}

export type ByApp = { Params: { appKey: string } }

/** The signed-in developer and the app. 404 for an app of others. */
export async function developerAt(
  deps: PageDeps,
  request: FastifyRequest<ByApp>,
  reply: FastifyReply,
): Promise<Developer | undefined> {
  const { appKey } = request.params
  // A part that refreshes itself must not show the sign-in form inside the page: the whole page reloads.
  if (request.headers['hx-request'] && !(await deps.sessions.signedIn(request))) {
    reply.header('hx-refresh', 'true').send()
    return undefined
  }
  const here = (request.url.split('?')[0] as string) || '/portal'
  const account = await requireSignedIn(deps, request, reply, request.method === 'GET' ? here : `/portal/${appKey}`)
  if (!account) return undefined
  const membership = await membershipOf(deps.store, account.id, appKey)
  const app = membership && (await findApp(deps.store, appKey))
  if (!app) throw notFound()
  return { account, app, rol: membership.rol }
}

/** Throws 403 unless the developer is a titular: only a titular changes keys and team. */
export function requireTitular({ rol }: Pick<Developer, 'rol'>): void {
  if (rol !== 'titular') throw forbidden(ONLY_TITULAR)
}

const ONLY_TITULAR = 'Solo quien es titular de la app decide sobre sus claves y su equipo. En Equipo ve quién es.'
