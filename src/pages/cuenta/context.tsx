import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import type { Rol } from '../../accounts/links.ts'
import { withQuery } from '../../http/links.ts'
import { forbidden, notFound } from '../../http/problems.ts'
import { message, t } from '../../i18n/messages.tsx'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { agenciasOfAccount } from '../../resources/agencias/read.ts'
import type { Db } from '../../store/db.ts'
import { AppShell, type Audience, type Nav, type NavItem, type PageProps, type QueryParams } from '../app-shell.tsx'
import type { PagesByRole } from '../page.ts'
import { numberParam, type Query } from '../params.ts'
import { reauthenticate } from '../reauthenticate.tsx'
import { type PageDeps, requireSignedIn, type SignedInContext, signedInContext } from '../signed-in.ts'

export type AgencyContext = AgencyMembership & SignedInContext

/** A signed-in person, who may work at no agency. */
export interface AccountContext extends SignedInContext {
  all: readonly OwnAgencia[]
  /** The one that `?agencia=` names, or else the one that they administer or first joined. */
  agencia: OwnAgencia | undefined
}

/** The context of a signed-in person; undefined where the person was redirected. */
export async function accountContext(deps: PageDeps, request: FastifyRequest, reply: FastifyReply) {
  const { method, url, query } = request
  const [path = ''] = url.split('?')
  const account = await requireSignedIn(deps, request, reply, method === 'GET' ? path : '/cuenta')
  if (!account || !(await reauthenticate(deps, request, reply, account))) return undefined
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
  if (!agencia) throw notFound(message('cuenta.noSuchAgency'))
  return { ...ctx, agencia }
}

/** The context of the agency's administrator; 403 for others who work there. */
function asAdministrator(ctx: AccountContext): AgencyContext {
  const [agencia] = ctx.all
  if (agencia?.rol === 'administrador') return { ...ctx, agencia }
  throw forbidden(
    agencia
      ? message('cuenta.onlyAdmin', { agency: agencia.nombre, mail: agencia.adminMail })
      : message('cuenta.administersNone'),
  )
}

export const ACCOUNT_ROLES = {
  persona: (ctx: AccountContext) => ctx,
  vendedor: atAgency,
  administrador: asAdministrator,
}

/** Routes below /cuenta: for signed-in people, for everybody who works at an agency, for its administrator. */
export type AccountPages = PagesByRole<typeof ACCOUNT_ROLES>
export type PersonPages = AccountPages['persona']

export const AgencyPage = ({ ctx, ...page }: PageProps<AgencyContext>) => (
  <AppShell ctx={ctx} nav={navOf(ctx)} {...page} />
)

/** A page about the person: within the agency that they administer or first joined, if there is one. */
export function PersonalPage({ ctx, ...page }: PageProps<AccountContext>) {
  const { agencia = ctx.all[0] } = ctx
  if (agencia) return <AgencyPage ctx={{ ...ctx, agencia }} {...page} />
  return <AppShell ctx={ctx} nav={navWithoutAgency()} {...page} />
}

/** Lists and confirmations of an agency. */
export const AGENCY: Audience<AgencyContext> = { Page: AgencyPage, base: (ctx) => ({ params: agencyParam(ctx) }) }

export type OwnAgencia = Agencia & { rol: Rol }

/** A person at an agency, and all agencies where they work; the one that they administer comes first. */
export interface AgencyMembership {
  account: Account
  agencia: OwnAgencia
  all: readonly OwnAgencia[]
}

const SECTIONS = ['consultas', 'publicaciones', 'datos', 'sucursales', 'apps', 'colaboradores', 'acceso'] as const

const navItems = (sections: readonly (typeof SECTIONS)[number][]): NavItem[] => [
  { href: '/cuenta', label: t('cuenta.nav.summary') },
  ...sections.map((name) => ({ href: `/cuenta/${name}`, label: t(`cuenta.nav.${name}`) })),
]

/** The query parameter that names the agency; the person's first one needs none. */
const agencyParam = ({ agencia, all }: Pick<AgencyMembership, 'agencia' | 'all'>): QueryParams => ({
  agencia: agencia.id === all[0]?.id ? undefined : agencia.id,
})

export const agencyPath = (
  at: Pick<AgencyMembership, 'agencia' | 'all'>,
  path: string,
  params: QueryParams = {},
): string => withQuery(path, { ...agencyParam(at), ...params })

const navOf = (at: AgencyMembership): Nav => ({
  title: at.agencia.nombre,
  note: <Note {...at} />,
  items: navItems(SECTIONS).map(({ href, label }) => ({ href: agencyPath(at, href), label })),
})

const Note = ({ agencia, all }: AgencyMembership) => (
  <>
    <span class="badge">{t(`comun.role.${agencia.rol}`)}</span>
    {all
      .filter(({ id }) => id !== agencia.id)
      .map((other) => (
        <a key={other.id} class="elsewhere" href={agencyPath({ agencia: other, all }, '/cuenta')}>
          {t('cuenta.nav.goTo', { agency: other.nombre })}
        </a>
      ))}
  </>
)

/** The navigation at the agency that they administer or first joined, if there is one. */
export async function accountNav(db: Db, account: Account): Promise<Nav> {
  const all = await agenciasOfAccount(db, account)
  const [agencia] = all
  return agencia ? navOf({ account, agencia, all }) : navWithoutAgency()
}

/** The navigation of a person who works at no agency. */
const navWithoutAgency = (): Nav => ({
  title: t('cuenta.nav.account'),
  items: navItems(['acceso']),
})
