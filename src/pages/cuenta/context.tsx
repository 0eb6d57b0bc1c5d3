import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { forbidden, notFound } from '../../http/problems.ts'
import type { Support } from '../../mail/support.ts'
import { agenciasOfAccount } from '../../resources/agencias/store.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import { AppShell, type AppShellProps } from '../app-shell.tsx'
import type { When } from '../moment.tsx'
import { numberParam, type Query } from '../params.ts'
import { justDone, type PageDeps, whoever } from '../signed-in.ts'
import { ALONE, type At, type OwnAgencia, pathAt, placeOf, type Section } from './nav.tsx'

/** What every page of the account knows of its moment. */
interface Around extends When {
  support: Support
  /** What was just done, told once. */
  notice: string | undefined
}

/** Somebody of an agency at a page of its account. */
export type PageContext = At & Around

/** Somebody at a page of their own, who may work at no agency. */
export interface OwnContext extends Around {
  account: Account
  all: readonly OwnAgencia[]
  /** Named in `?agencia=`, or else the one that they administer or first help in; one of others is none. */
  agencia: OwnAgencia | undefined
}

/** Who visits a page of their own; whoever is not signed in is led there, and undefined is left. */
export async function ownContext(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  volver = pathOf(request),
): Promise<OwnContext | undefined> {
  const account = await whoever(deps, request, reply, volver)
  if (!account) return undefined
  const { store, config, clock } = deps
  const all = await agenciasOfAccount(store, account)
  const asked = numberParam(request.query as Query, 'agencia')
  return {
    account,
    all,
    agencia: all.find(({ id }) => asked === undefined || id === asked),
    support: supportOf(config),
    now: clock(),
    timeZone: config.timeZone,
    notice: request.method === 'GET' ? justDone(request, reply) : undefined,
  }
}

/** Who asks for a page of an agency, and which one. */
export async function pageContext(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PageContext | undefined> {
  const ctx = await ownContext(deps, request, reply)
  return ctx && atAgency(ctx)
}

/** The same where there must be an agency: one of others is not there. */
export function atAgency({ agencia, ...ctx }: OwnContext): PageContext {
  if (!agencia) throw notFound('No trabaja en esa agencia.')
  return { ...ctx, agencia }
}

/** Who decides for an agency, and the agency. Others who work there get 403. */
export async function administers(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PageContext | undefined> {
  const ctx = await ownContext(deps, request, reply)
  if (!ctx) return undefined
  const [agencia] = ctx.all
  if (agencia?.rol === 'administrador') return { ...ctx, agencia }
  throw forbidden(
    agencia
      ? `Eso lo decide quien administra ${agencia.nombre}: ${agencia.adminMail}.`
      : 'Su cuenta no administra ninguna agencia.',
  )
}

/** Back to the page that was asked for; after a form that came too late, to the first. */
const pathOf = ({ method, url }: FastifyRequest): string =>
  method === 'GET' ? (url.split('?')[0] as string) : '/cuenta'

type PageProps<V> = Omit<AppShellProps, 'account' | 'place' | 'current' | 'support' | 'notice'> & {
  ctx: V
  section: Section
}

/** A page of an agency's account. */
export const AgencyPage = ({ ctx, section, ...page }: PageProps<PageContext>) => (
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
export function OwnPage({ ctx, section, ...page }: PageProps<OwnContext>) {
  const { account, support, notice, agencia = ctx.all[0] } = ctx
  if (agencia) return <AgencyPage ctx={{ ...ctx, agencia }} section={section} {...page} />
  return <AppShell {...{ account, support, notice }} place={ALONE} current={section} {...page} />
}
