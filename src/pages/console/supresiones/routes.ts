import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isMailAddress, MAIL_CHARACTERS } from '../../../accounts/mail-address.ts'
import type { Modo } from '../../../apps/app.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { type Person, reachOf, suppress } from '../../../resources/consultas/suppress.ts'
import { findSuppression, listSuppressions } from '../../../resources/consultas/suppressions.ts'
import { type Asking, turnAsked, wantsCsv, waysOn } from '../../asked.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { MODO_NAMES } from '../modo.tsx'
import { type Visit, visitBy } from '../visit.tsx'
import { type Asked, SUPRESIONES, suppressionColumns, suppressionsPage } from './list-page.tsx'
import { reachPage } from './reach-page.tsx'
import { receiptPage } from './receipt-page.tsx'

const FEWEST_DIGITS = 6

/** /consola/supresiones: the right to be forgotten (decisions, 11). Who asks stands in forms alone, never in an address. */
export function suppressionsRoutes(app: FastifyInstance, people: People): void {
  const { store, seal } = people

  async function show(reply: FastifyReply, visit: Visit, query: Asking['Querystring'], refused?: Refused) {
    const part = await listSuppressions(store, turnAsked(query))
    const ways = waysOn(SUPRESIONES, {}, part, ({ id }) => id)
    return page(reply, suppressionsPage({ visit, rows: part.rows, ways, ...refused }), refused ? 400 : 200)
  }

  app.get<Asking>(SUPRESIONES, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    if (!wantsCsv(request.query)) return show(reply, visit, request.query)
    const { rows } = await listSuppressions(store, { limit: MOST_CSV_ROWS })
    return sendCsv(reply, 'supresiones', suppressionColumns(visit), rows)
  })

  app.post(SUPRESIONES, formRoute(MAIL_CHARACTERS + MAX_TELEPHONE), async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const given = askedIn(request)
    const errors = faults(given)
    if (errors) return show(reply, visit, {}, { given, errors })
    await visit.note('supresion.prever', '')
    return page(reply, reachPage({ visit, asked: given, reach: await reachOf(store, seal, personOf(given)) }))
  })

  app.post(`${SUPRESIONES}/suprimir`, formRoute(MAIL_CHARACTERS + MAX_TELEPHONE), async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const given = askedIn(request)
    const errors = faults(given)
    if (errors) return show(reply, visit, {}, { given, errors })
    const { id } = await suppress(people, personOf(given), { accountId: visit.account.id, via: 'consola' })
    return done(reply, 'suprimida', `${SUPRESIONES}/${id}`)
  })

  app.get<{ Params: { id: string } }>(`${SUPRESIONES}/:id`, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const suppression = await findSuppression(store, request.params.id)
    if (!suppression) throw notFound('No hay una constancia así.')
    return page(reply, receiptPage({ visit, suppression }))
  })
}

interface Refused {
  given: Asked
  errors: Errors
}

function askedIn(request: FastifyRequest): Asked {
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
