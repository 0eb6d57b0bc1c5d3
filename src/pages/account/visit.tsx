import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { forbidden, notFound } from '../../http/problems.ts'
import type { Support } from '../../mail/support.ts'
import { agenciasOfAccount } from '../../resources/agencias/store.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import { numberAsked, type Query } from '../asked.ts'
import type { When } from '../moment.tsx'
import { justDone, type People, whoever } from '../people.ts'
import { Workplace, type WorkplaceProps } from '../workplace.tsx'
import { ALONE, type At, type OwnAgencia, pathAt, placeOf, type Section } from './place.tsx'

/** What every page of the account knows of its moment. */
interface Around extends When {
  support: Support
  /** What was just done, told once. */
  notice: string | undefined
}

/** Somebody of an agency at a page of its account. */
export type Visit = At & Around

/** Somebody at a page of their own, who may work at no agency. */
export interface OwnVisit extends Around {
  account: Account
  all: readonly OwnAgencia[]
  /** Named in `?agencia=`, or else the one that they administer or first help in; one of others is none. */
  agencia: OwnAgencia | undefined
}

/** Who visits a page of their own; whoever is not signed in is led there, and undefined is left. */
export async function ownVisit(
  people: People,
  request: FastifyRequest,
  reply: FastifyReply,
  volver = pathOf(request),
): Promise<OwnVisit | undefined> {
  const account = await whoever(people, request, reply, volver)
  if (!account) return undefined
  const { store, config, clock } = people
  const all = await agenciasOfAccount(store, account)
  const asked = numberAsked(request.query as Query, 'agencia')
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
export async function visitOf(
  people: People,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | undefined> {
  const visit = await ownVisit(people, request, reply)
  return visit && atAgency(visit)
}

/** The same where there must be an agency: one of others is not there. */
export function atAgency({ agencia, ...visit }: OwnVisit): Visit {
  if (!agencia) throw notFound('No trabaja en esa agencia.')
  return { ...visit, agencia }
}

/** Who decides for an agency, and the agency. Others who work there get 403. */
export async function administers(
  people: People,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visit | undefined> {
  const visit = await ownVisit(people, request, reply)
  if (!visit) return undefined
  const [agencia] = visit.all
  if (agencia?.rol === 'administrador') return { ...visit, agencia }
  throw forbidden(
    agencia
      ? `Eso lo decide quien administra ${agencia.nombre}: ${agencia.adminMail}.`
      : 'Su cuenta no administra ninguna agencia.',
  )
}

/** Back to the page that was asked for; after a form that came too late, to the first. */
const pathOf = ({ method, url }: FastifyRequest): string =>
  method === 'GET' ? (url.split('?')[0] as string) : '/cuenta'

type PageProps<V> = Omit<WorkplaceProps, 'account' | 'place' | 'current' | 'support' | 'notice'> & {
  visit: V
  section: Section
}

/** A page of an agency's account. */
export const AgencyPage = ({ visit, section, ...page }: PageProps<Visit>) => (
  <Workplace
    account={visit.account}
    place={placeOf(visit)}
    current={pathAt(visit, section)}
    support={visit.support}
    notice={visit.notice}
    {...page}
  />
)

/** A page of a person's own: within the agency they administer or first help in, if there is any. */
export function OwnPage({ visit, section, ...page }: PageProps<OwnVisit>) {
  const { account, support, notice, agencia = visit.all[0] } = visit
  if (agencia) return <AgencyPage visit={{ ...visit, agencia }} section={section} {...page} />
  return <Workplace {...{ account, support, notice }} place={ALONE} current={section} {...page} />
}
