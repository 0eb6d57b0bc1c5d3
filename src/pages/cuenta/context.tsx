import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, notFound } from '../../http/problems.ts'
import { agenciasOfAccount } from '../../resources/agencias/read.ts'
import type { Audience, PageProps } from '../app-shell.tsx'
import { AppShell } from '../app-shell.tsx'
import type { PageApp } from '../page.ts'
import { numberParam, type Query } from '../params.ts'
import { type PageDeps, requireSignedIn, type SignedInContext, signedInContext } from '../signed-in.ts'
import { ALONE, type At, agencyParam, navOf, type OwnAgencia, pathAt } from './nav.tsx'

/** Somebody of an agency at a page of its account. */
export type AgencyContext = At & SignedInContext

/** A signed-in person, who may work at no agency. */
export interface AccountContext extends SignedInContext {
  all: readonly OwnAgencia[]
  /** The one that `?agencia=` names, or else the one that they administer or first joined. */
  agencia: OwnAgencia | undefined
}

/** The context of a signed-in person; undefined where the person was redirected. */
export async function accountContext(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AccountContext | undefined> {
  const { method, url, query } = request
  const account = await requireSignedIn(
    deps,
    request,
    reply,
    method === 'GET' ? (url.split('?')[0] as string) : '/cuenta',
  )
  if (!account) return undefined
  const all = await agenciasOfAccount(deps.store, account)
  const chosen = numberParam(query as Query, 'agencia')
  return {
    ...signedInContext(deps, request, reply, account, 'agencia'),
    all,
    agencia: all.find(({ id }) => chosen === undefined || id === chosen),
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

/** A page of an agency's account. */
export const AgencyPage = ({ ctx, section, ...page }: PageProps<AgencyContext>) => (
  <AppShell
    account={ctx.account}
    nav={navOf(ctx)}
    current={pathAt(ctx, section)}
    support={ctx.support}
    notice={ctx.notice}
    {...page}
  />
)

/** A page of a person's own: within the agency that they administer or first joined, if there is any. */
export function OwnPage({ ctx, section, ...page }: PageProps<AccountContext>) {
  const { account, support, notice, agencia = ctx.all[0] } = ctx
  if (agencia) return <AgencyPage ctx={{ ...ctx, agencia }} section={section} {...page} />
  return <AppShell {...{ account, support, notice }} nav={ALONE} current={section} {...page} />
}

/** Lists and confirmations for everybody who works at an agency. */
export const AGENCY: Audience<AccountContext, AgencyContext> = {
  Page: AgencyPage,
  enter: atAgency,
  base: (ctx) => ({ params: agencyParam(ctx) }),
}

/** Confirmations for its administrator. */
export const ADMINISTRATOR: Audience<AccountContext, AgencyContext> = { Page: AgencyPage, enter: asAdministrator }
