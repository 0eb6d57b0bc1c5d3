import { isMailAddress, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import type { Modo } from '../../../apps/app.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { findSuppression, type Person, previewSuppression, suppress } from '../../../resources/consultas/suppress.ts'
import { formOf, formRoute, linesOf } from '../../form.ts'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { MODO_NAMES } from '../modo.tsx'
import { type GivenPerson, SUPRESIONES, SUPRESIONES_LIST } from './list.tsx'
import { reachPage } from './reach-page.tsx'
import { receiptPage } from './receipt-page.tsx'

const FEWEST_DIGITS = 6

/** /consola/supresiones: the right to be forgotten (decisions, 11). The person is only in forms, never in an address. */
export function suppressionsRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal } = deps

  const showRefused = serveList(app, '/supresiones', deps, SUPRESIONES_LIST)

  app.post('/supresiones', formRoute(MAIL_CHARACTERS + MAX_TELEPHONE), async (request, reply) => {
    const { ctx } = request
    const given = givenIn(formOf(request))
    const errors = faults(given)
    if (errors) return showRefused(reply, ctx, { given, errors })
    await ctx.audit('supresion.prever', '')
    return page(reply, reachPage({ ctx, given, reach: await previewSuppression(store, seal, personOf(given)) }))
  })

  app.post('/supresiones/suprimir', formRoute(MAIL_CHARACTERS + MAX_TELEPHONE), async (request, reply) => {
    const { ctx } = request
    const given = givenIn(formOf(request))
    const errors = faults(given)
    if (errors) return showRefused(reply, ctx, { given, errors })
    const { id } = await suppress(deps, personOf(given), { accountId: ctx.account.id, via: 'consola' })
    return redirectWithNotice(reply, 'suprimida', `${SUPRESIONES}/${id}`)
  })

  app.get<{ Params: { id: string } }>('/supresiones/:id', async (request, reply) => {
    const { ctx } = request
    const suppression = await findSuppression(store, request.params.id)
    if (!suppression) throw notFound('No hay una constancia así.')
    return page(reply, receiptPage({ ctx, suppression }))
  })
}

const givenIn = (form: URLSearchParams): GivenPerson => linesOf(form, ['Email', 'Telefono', 'Modo'])

const MAX_TELEPHONE = 30 // characters, as an inquiry has it

function faults({ Email, Telefono, Modo }: GivenPerson): Errors | undefined {
  const errors: Errors = {}
  if (!Email && !Telefono) errors.Email = ['Indique el correo o el teléfono de la persona.']
  if (Email && !isMailAddress(Email.toLowerCase())) errors.Email = ['Escriba un correo, por ejemplo nombre@correo.com.']
  if (Telefono && Telefono.replace(/\D/g, '').length < FEWEST_DIGITS)
    errors.Telefono = ['Escriba el número completo, como lo dejó la persona.']
  if (Telefono.length > MAX_TELEPHONE) errors.Telefono = [`Puede tener hasta ${MAX_TELEPHONE} caracteres.`]
  if (Modo && !MODO_NAMES.some((known) => known === Modo)) errors.Modo = ['Elija producción o prueba.']
  return Object.keys(errors).length > 0 ? errors : undefined
}

const personOf = ({ Email, Telefono, Modo }: GivenPerson): Person => ({
  email: Email || undefined,
  telefono: Telefono || undefined,
  modo: (Modo || undefined) as Modo | undefined,
})
