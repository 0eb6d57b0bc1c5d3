import type { FastifyReply, FastifyRequest } from 'fastify'
import { isMailAddress, MAIL_CHARACTERS } from '../../../accounts/mail-address.ts'
import type { Modo } from '../../../apps/app.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { type Person, reachOf, suppress } from '../../../resources/consultas/suppress.ts'
import { findSuppression, listSuppressions } from '../../../resources/consultas/suppressions.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { type Asking, cursorParam, pageLinks, wantsCsv } from '../../params.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import type { ConsoleContext, ConsolePages } from '../context.tsx'
import { MODO_NAMES } from '../modo.tsx'
import { type Asked, SUPRESIONES, suppressionColumns, suppressionsPage } from './list-page.tsx'
import { reachPage } from './reach-page.tsx'
import { receiptPage } from './receipt-page.tsx'

const FEWEST_DIGITS = 6

/** /consola/supresiones: the right to be forgotten (decisions, 11). Who asks stands in forms alone, never in an address. */
export function suppressionsRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal } = deps

  async function show(reply: FastifyReply, ctx: ConsoleContext, query: Asking['Querystring'], refused?: Refused) {
    const part = await listSuppressions(store, cursorParam(query))
    const ways = pageLinks(SUPRESIONES, {}, part, ({ id }) => id)
    return page(reply, suppressionsPage({ ctx, rows: part.rows, ways, ...refused }), refused ? 400 : 200)
  }

  app.get<Asking>('/supresiones', async (request, reply) => {
    const { ctx } = request
    if (!wantsCsv(request.query)) return show(reply, ctx, request.query)
    const { rows } = await listSuppressions(store, { limit: MOST_CSV_ROWS })
    return sendCsv(reply, 'supresiones', suppressionColumns(ctx), rows)
  })

  app.post('/supresiones', formRoute(MAIL_CHARACTERS + MAX_TELEPHONE), async (request, reply) => {
    const { ctx } = request
    const given = parseParams(request)
    const errors = faults(given)
    if (errors) return show(reply, ctx, {}, { given, errors })
    await ctx.audit('supresion.prever', '')
    return page(reply, reachPage({ ctx, asked: given, reach: await reachOf(store, seal, personOf(given)) }))
  })

  app.post('/supresiones/suprimir', formRoute(MAIL_CHARACTERS + MAX_TELEPHONE), async (request, reply) => {
    const { ctx } = request
    const given = parseParams(request)
    const errors = faults(given)
    if (errors) return show(reply, ctx, {}, { given, errors })
    const { id } = await suppress(deps, personOf(given), { accountId: ctx.account.id, via: 'consola' })
    return done(reply, 'suprimida', `${SUPRESIONES}/${id}`)
  })

  app.get<{ Params: { id: string } }>('/supresiones/:id', async (request, reply) => {
    const { ctx } = request
    const suppression = await findSuppression(store, request.params.id)
    if (!suppression) throw notFound('No hay una constancia así.')
    return page(reply, receiptPage({ ctx, suppression }))
  })
}

interface Refused {
  given: Asked
  errors: Errors
}

function parseParams(request: FastifyRequest): Asked {
  const form = formOf(request)
  return { Email: line(form, 'Email'), Telefono: line(form, 'Telefono'), Modo: line(form, 'Modo') }
}

const MAX_TELEPHONE = 30 // characters, as an inquiry has it

function faults({ Email, Telefono, Modo }: Asked): Errors | undefined {
  const errors: Errors = {}
  if (!Email && !Telefono) errors.Email = ['Indique el correo o el teléfono de la persona.']
  if (Email && !isMailAddress(Email.toLowerCase())) errors.Email = ['Escriba un correo, por ejemplo nombre@correo.com.']
  if (Telefono && Telefono.replace(/\D/g, '').length < FEWEST_DIGITS)
    errors.Telefono = ['Escriba el número completo, como lo dejó la persona.']
  if (Telefono.length > MAX_TELEPHONE) errors.Telefono = [`Puede tener hasta ${MAX_TELEPHONE} caracteres.`]
  if (Modo && !MODO_NAMES.some((known) => known === Modo)) errors.Modo = ['Elija producción o prueba.']
  return Object.keys(errors).length > 0 ? errors : undefined
}

const personOf = ({ Email, Telefono, Modo }: Asked): Person => ({
  email: Email || undefined,
  telefono: Telefono || undefined,
  modo: (Modo || undefined) as Modo | undefined,
})
