import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { forbidden, notFound } from '../../http/problems.ts'
import type { Support } from '../../mail/support.ts'
import { agenciasOfAccount } from '../../resources/agencias/store.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import { AppShell, type AppShellProps } from '../app-shell.tsx'
import type { When } from '../moment.tsx'
import type { PageApp } from '../page-app.ts'
import { numberParam, type Query } from '../params.ts'
import { justDone, type PageDeps, requireSignedIn } from '../signed-in.ts'
import { ALONE, type At, type OwnAgencia, pathAt, placeOf, type Section } from './nav.tsx'

/** What every page of the account knows of its moment. */
interface Around extends When {
  support: Support
  /** What was just done, told once. */
  notice: string | undefined
}

/** Somebody of an agency at a page of its account. */
export type AgencyContext = At & Around

/** Somebody at a page of their own, who may work at no agency. */
export interface AccountContext extends Around {
  account: Account
  all: readonly OwnAgencia[]
  /** Named in `?agencia=`, or else the one that they administer or first help in; one of others is none. */
  agencia: OwnAgencia | undefined
}

/** The context of a signed-in person; undefined where the person was redirected. */
export async function accountContext(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AccountContext | undefined> {
  const account = await requireSignedIn(deps, request, reply, pathOf(request))
  if (!account) return undefined
  const { store, config, clock } = deps
  const all = await agenciasOfAccount(store, account)
  const chosen = numberParam(request.query as Query, 'agencia')
  return {
    account,
    all,
    agencia: all.find(({ id }) => chosen === undefined || id === chosen),
    support: supportOf(config),
    now: clock(),
    timeZone: config.timeZone,
    notice: request.method === 'GET' ? justDone(request, reply) : undefined,
  }
}

/** The context of a page of an agency; 404 where the person does not work there. */
export function atAgency({ agencia, ...ctx }: AccountContext): AgencyContext {
  if (!agencia) throw notFound('No trabaja en esa agencia.')
  return { ...ctx, agencia }
}

/** The context of the agency's administrator; 403 for others who work there. */
export function asAdministrator(ctx: AccountContext): AgencyContext {
  const [agencia] = ctx.all
  if (agencia?.rol === 'administrador') return { ...ctx, agencia }
  throw forbidden(
    agencia
      ? `Eso lo decide quien administra ${agencia.nombre}: ${agencia.adminMail}.`
      : 'Su cuenta no administra ninguna agencia.',
  )
}

/** Routes below /cuenta, for signed-in people. */
export type AccountPages = PageApp<AccountContext>

/** Where to return after signing in: the page itself, or the first page after a form that came too late. */
const pathOf = ({ method, url }: FastifyRequest): string =>
  method === 'GET' ? (url.split('?')[0] as string) : '/cuenta'

type PageProps<V> = Omit<AppShellProps, 'account' | 'place' | 'current' | 'support' | 'notice'> & {
  ctx: V
  section: Section
}

/** A page of an agency's account. */
export const AgencyPage = ({ ctx, section, ...page }: PageProps<AgencyContext>) => (
  <AppShell
    account={ctx.account}
    place={placeOf(ctx)}
    current={pathAt(ctx, section)}
    support={ctx.support}
    notice={ctx.notice}
    {...page}
  />
)

/** A page of a person's own: within the agency they administer or first help in, if there is any. */
export function OwnPage({ ctx, section, ...page }: PageProps<AccountContext>) {
  const { account, support, notice, agencia = ctx.all[0] } = ctx
  if (agencia) return <AgencyPage ctx={{ ...ctx, agencia }} section={section} {...page} />
  return <AppShell {...{ account, support, notice }} place={ALONE} current={section} {...page} />
}
