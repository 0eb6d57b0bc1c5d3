import { hash } from 'node:crypto'
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify'
import { createContext, h, type VNode } from 'preact'
import { useContext } from 'preact/hooks'
import { renderToString } from 'preact-render-to-string'
import type { MemberRol } from '../accounts/account.ts'
import type { Rol } from '../accounts/links.ts'
import { type Brand, type BrandSource, defaultBrand } from '../brand/brand.ts'
import { languageOf, vary } from '../http/language.ts'
import { currentLanguage, type Locale, withLanguage } from '../i18n/locale.ts'
import { readFiles } from './form.ts'
import { replaceSignInLink } from './home-link.tsx'
import { allowScript } from './security.ts'
import { type Theme, ThemeContext, themeOf } from './theme.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may use a page of console, portal or account. */
    role?: PageRole
  }
  interface FastifyInstance {
    /** The marketplace's name, logo and customer service, which every page shows. */
    brand: BrandSource
  }
}

export const BrandContext = createContext<Brand>(defaultBrand({ publicUrl: 'http://localhost' }).current())

/** The marketplace's name, in a text. */
export const BrandName = () => useContext(BrandContext).nombre

/** Whether the page shows a form again that was refused: its title says so first. */
export const RefusedContext = createContext(false)

/** The statuses of a refused form. */
const REFUSED: ReadonlySet<number> = new Set([400, 409, 429])

/** Pages are not part of the API. */
export const HIDDEN = { schema: { hide: true } } as const

/** A page without personal content: browsers store it and revalidate. */
export const PUBLIC = { ...HIDDEN, config: { caching: 'private, no-cache' } } as const

/** Sends a page in the language of its request; text in elements is escaped. */
export function page(reply: FastifyReply, content: VNode | RenderedOnce, status = 200): FastifyReply {
  const brand = reply.server.brand.current()
  const language = languageOf(reply.request)
  const theme = themeOf(reply.request)
  const body = withLanguage(language, () =>
    replaceSignInLink(
      reply.request,
      'renderFor' in content ? content.renderFor(brand, theme) : render(content, brand, theme, REFUSED.has(status)),
    ),
  )
  return vary(reply, 'Accept-Language', 'Cookie')
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', language.locale)
    .send(body)
}

export interface RenderedOnce {
  renderFor(brand: Brand, theme: Theme): Buffer
}

/** A page without personal content is rendered at the first request in each language and theme, and again for another brand. */
export function renderOnce(make: () => VNode): () => RenderedOnce {
  const rendered = new Map<`${Locale} ${boolean} ${Theme}`, { brand: Brand; bytes: Buffer }>()
  const renderFor = (brand: Brand, theme: Theme) => {
    const { locale, isInAddress = false } = currentLanguage()
    const key = `${locale} ${isInAddress} ${theme}` as const
    const last = rendered.get(key)
    if (last?.brand === brand) return last.bytes
    const bytes = Buffer.from(render(make(), brand, theme))
    rendered.set(key, { brand, bytes })
    return bytes
  }
  return () => ({ renderFor })
}

function render(element: VNode, brand: Brand, theme: Theme, refused = false): string {
  const titled = h(RefusedContext.Provider, { value: refused }, element)
  const themed = h(ThemeContext.Provider, { value: theme }, titled)
  return `<!doctype html>\n${renderToString(h(BrandContext.Provider, { value: brand }, themed) as VNode)}\n`
}

/** A request to a page, with the context that its plugin made in `preHandler`. */
export type PageRequest<
  Context,
  Route extends RouteGenericInterface = RouteGenericInterface,
> = FastifyRequest<Route> & {
  ctx: Context
}

type Handler<Context, Route extends RouteGenericInterface> = (
  request: PageRequest<Context, Route>,
  reply: FastifyReply,
) => unknown

/** The least that a person has to be: anybody signed in, of an agency, of an app's team, or of the staff. */
type PageRole = 'persona' | Rol | MemberRol | 'personal'

/** Declares pages for one role; their requests have its context. */
export interface PageApp<Context> {
  get<Route extends RouteGenericInterface = RouteGenericInterface>(path: string, handler: Handler<Context, Route>): void
  post<Route extends RouteGenericInterface = RouteGenericInterface>(
    path: string,
    options: RouteShorthandOptions,
    handler: Handler<Context, Route>,
  ): void
}

/** For each role, its own context from that of the request; it throws where the person has not the role. */
type Roles = Partial<Record<PageRole, (ctx: never) => unknown>>

export type PagesByRole<R extends Roles> = {
  [Role in keyof R]: R[Role] extends (ctx: never) => infer Context ? PageApp<Context> : never
}

type ContextOf<R extends Roles> = R[keyof R] extends ((ctx: infer Context) => unknown) | undefined ? Context : never

/**
 * No page can be declared without a role. `contextOf` returns undefined where it has answered by itself: a person who is not
 * signed in is redirected.
 */
export function withRoles<R extends Roles>(
  app: FastifyInstance,
  contextOf: (request: FastifyRequest, reply: FastifyReply) => Promise<ContextOf<R> | undefined>,
  roles: R,
): PagesByRole<R> {
  app.decorateRequest('ctx')
  app.addHook('preHandler', async (request, reply) => {
    allowScript(reply) // Ctrl-K works on all of these pages
    const ctx = await contextOf(request, reply)
    if (ctx === undefined) return reply
    const enter = roles[request.routeOptions.config.role as PageRole] as (ctx: ContextOf<R>) => unknown
    Object.assign(request, { ctx: enter(ctx) })
    if (request.routeOptions.config.files) await readFiles(request, reply)
    return undefined
  })
  const pagesFor = (role: PageRole) => ({
    get: (path: string, handler: RouteHandlerMethod) => app.get(path, { ...HIDDEN, config: { role } }, handler),
    post: (path: string, options: RouteShorthandOptions, handler: RouteHandlerMethod) =>
      app.post(path, { ...options, config: { ...options.config, role } }, handler),
  })
  const pages = Object.keys(roles).map((role) => [role, pagesFor(role as PageRole)])
  return Object.fromEntries(pages) as PagesByRole<R>
}

/** True for a request of htmx, for a part of a page that refreshes itself. */
export const isPartial = ({ headers }: FastifyRequest): boolean => headers['hx-request'] === 'true'

/** A hash of the content of a part: it is sent again only if that changed. */
export const contentHash = (shown: unknown): string => hash('sha256', JSON.stringify(shown), 'base64url').slice(0, 16)

/** Sends a part of a page; 204 where it has not changed, so that focus and selection stay. */
export function sendPart(reply: FastifyReply, part: VNode, seen?: unknown, version?: string): FastifyReply {
  if (version !== undefined && seen === version) return reply.code(204).send()
  return reply.type('text/html; charset=utf-8').send(renderToString(part))
}

/** An error leaves the page as it is, also its title. */
const NO_SWAP = 'swap:"none ignoreTitle:true"'
export const ON_ERROR = { 'hx-status:4xx': NO_SWAP, 'hx-status:5xx': NO_SWAP }

/**
 * The attributes of a form that changes a part of the page as it is filled in (assets/app.js). The last request counts, and
 * it waits for one of the part itself.
 */
export const appliedPart = (action: Record<string, string>, target: string): Record<string, string> => ({
  ...action,
  'hx-target': target,
  'hx-swap': 'outerMorph',
  'hx-sync': `${target}:queue last`,
  ...ON_ERROR,
})

/** The attributes of a part that refreshes itself. An error leaves it as it is. */
export const livePart = (href: string, seconds: number): Record<string, string> => ({
  'hx-get': href,
  'hx-trigger': `every ${seconds}s`,
  'hx-sync': 'this:drop',
  'hx-swap': 'outerMorph',
  ...ON_ERROR,
})
