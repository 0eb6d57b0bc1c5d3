import type { FastifyRequest } from 'fastify'
import { type Audience, hrefIn, type QueryParams } from './app-shell.tsx'
import { numberParam, type Query, textParam } from './params.ts'
import type { SignedInContext } from './signed-in.ts'

interface ShownList<Ctx> {
  ctx: Ctx
  filters: QueryParams
  query: Query
}

/** The address of a form on a list, with the list's filters, order and page. */
export const listFormPath = <Ctx extends SignedInContext>(
  audience: Audience<Ctx>,
  action: string,
  { ctx, filters, query }: ShownList<Ctx>,
): string =>
  hrefIn(audience, ctx, action, {
    ...ctx.sealMails(filters),
    orden: textParam(query, 'orden'),
    antes: textParam(query, 'antes'),
    despues: textParam(query, 'despues'),
    pagina: numberParam(query, 'pagina'),
  })

/** The list that a form of `listFormPath` was on. */
export const listPath = (list: string, { url }: Pick<FastifyRequest, 'url'>): string => list + url.replace(/^[^?]*/, '')
