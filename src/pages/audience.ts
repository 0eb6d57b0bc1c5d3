import type { VNode } from 'preact'
import { withQuery } from '../http/links.ts'
import type { AppShellProps } from './app-shell.tsx'

/** Parameters of a query string; undefined ones are left out. */
export type QueryParams = Record<string, string | number | undefined>

/** What the page components of console, portal and account have in common. */
export type PageProps<Ctx> = Omit<AppShellProps, 'account' | 'nav' | 'current' | 'support' | 'notice'> & {
  ctx: Ctx
  /** The page's entry in the navigation. */
  section: string
}

/** The people that a page is for: lists and confirmations are rendered and linked in their way. */
export interface Audience<RequestCtx, Ctx> {
  Page: (props: PageProps<Ctx>) => VNode
  /** The context of the page, from the one of the request; throws where the person may not see it. */
  enter(ctx: RequestCtx): Ctx
  /** Path and query parameters that every link of these pages has. */
  base?(ctx: Ctx): { path?: string; params?: QueryParams }
}

/** The address of a section for an audience. */
export function hrefIn<RequestCtx, Ctx>(
  { base }: Audience<RequestCtx, Ctx>,
  ctx: Ctx,
  section: string,
  params: QueryParams = {},
): string {
  const { path = '', params: own } = base?.(ctx) ?? {}
  return withQuery(path + section, { ...own, ...params })
}
