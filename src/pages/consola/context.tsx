import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Modo } from '../../apps/app.ts'
import { conflict, forbidden, notFound, Problem } from '../../http/problems.ts'
import { labels, message, t, textOf } from '../../i18n/messages.tsx'
import { AppShell, type Audience, type Nav, type PageProps } from '../app-shell.tsx'
import { ReadOnlyContext } from '../fields.tsx'
import type { FormField } from '../form-fields.tsx'
import type { PageApp } from '../page.ts'
import { reauthenticate } from '../reauthenticate.tsx'
import { type PageDeps, requireSignedIn, type SignedInContext, signedInContext } from '../signed-in.ts'
import { type Column, column } from '../table.tsx'

export type ConsoleContext = SignedInContext

const READ_ONLY = message('consola.readOnly')

export function assertMayAct({ account }: Pick<ConsoleContext, 'account'>): void {
  if (account.readOnly) throw forbidden(READ_ONLY)
}

/** Undefined where the person was redirected. For accounts that are not staff the console does not exist. */
export async function consoleContext(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ConsoleContext | undefined> {
  const path = request.url.split('?')[0] as string
  const account = await requireSignedIn(deps, request, reply, request.method === 'GET' ? path : '/consola')
  if (!account) return undefined
  if (!account.staff) throw notFound()
  if (request.method === 'POST') assertMayAct({ account })
  if (!(await reauthenticate(deps, request, reply, account))) return undefined
  return signedInContext(deps, request, reply, account, 'consola')
}

/** Routes below /consola, for signed-in staff. */
export type ConsolePages = PageApp<ConsoleContext>

const SECTIONS = labels({
  '/consola': 'consola.nav.summary',
  '/consola/agencias': 'consola.nav.agencias',
  '/consola/apps': 'consola.nav.apps',
  '/consola/consultas': 'consola.nav.consultas',
  '/consola/publicaciones': 'consola.nav.publicaciones',
  '/consola/entregas': 'consola.nav.entregas',
  '/consola/correos': 'consola.nav.correos',
  '/consola/supresiones': 'consola.nav.supresiones',
  '/consola/sitios': 'consola.nav.sitios',
  '/consola/marca': 'consola.nav.marca',
  '/consola/incidentes': 'consola.nav.incidentes',
  '/consola/personal': 'consola.nav.personal',
  '/consola/auditoria': 'consola.nav.auditoria',
})

export const consoleNav = (): Nav => ({
  title: t('consola.title'),
  items: Object.entries(SECTIONS).map(([href, label]) => ({ href, label })),
})

export const ConsolePage = ({ ctx, children, ...props }: PageProps<ConsoleContext>) => (
  <ReadOnlyContext.Provider value={ctx.account.readOnly}>
    <AppShell ctx={ctx} nav={consoleNav()} {...props}>
      {ctx.account.readOnly && <p class="hint">{textOf(READ_ONLY)}</p>}
      {children}
    </AppShell>
  </ReadOnlyContext.Provider>
)

export const CONSOLE: Audience<ConsoleContext> = { Page: ConsolePage, assertMayAct }

/** Throws a refused act as one sentence: partners get the same errors by field. */
export function throwConflict(error: unknown): never {
  if (!(error instanceof Problem) || !error.errors) throw error
  throw conflict({}, Object.values(error.errors).flat().join(' '))
}

export const modos = () =>
  [
    ['produccion', t('consola.modo.produccion')],
    ['prueba', t('consola.modo.prueba')],
  ] as const satisfies readonly (readonly [Modo, string])[]

export const modoField = (): FormField => ({
  label: t('consola.head.mode'),
  choices: modos(),
  missing: t('consola.modo.missing'),
})

export const MAX_NAME = 120 // characters
export const nameField = (): FormField => ({
  label: t('consola.head.name'),
  max: MAX_NAME,
  missing: t('consola.name.missing'),
})

/** Test stands out from production. */
export const ModoBadge = ({ modo }: { modo: Modo }) => (
  <span class={modo === 'prueba' ? 'badge test' : 'badge'}>{t(`consola.modo.badge.${modo}`)}</span>
)

export const modoColumn = <Row extends { modo: Modo }>(): Column<Row> =>
  column(t('consola.head.mode'), 'modo', (modo) => <ModoBadge modo={modo} />)
