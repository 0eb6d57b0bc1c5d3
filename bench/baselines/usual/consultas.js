// A page of inquiries with its exact total, and one inquiry.
import { and, count, desc, eq, gt, gte, inArray, isNull, lt } from 'drizzle-orm'
import { Router } from 'express'
import { z } from 'zod'
import { firstUlid, momentOf, toTimestamp } from './ids.js'
import { adminMailParams, check, Problem } from './problems.js'
import { agenciaAliases, agencias, asociaciones, consultas } from './tables.js'

const PER_PAGE = 25
const DAY_MS = 86_400_000
const CATALOGO = 0

const listQuery = z.object({
  desde: z.iso.date().optional(),
  hasta: z.iso.date().optional(),
  externalid: z.string().optional(),
  operador: z.email().optional(),
  pagina: z.coerce.number().int().min(1).max(99).default(1),
})
const oneParams = adminMailParams.extend({ sid: z.string().min(20).max(30) })

/** The agency, if it exists for the app; a replaced administrator's address still answers. */
export async function findAgencia(db, app, adminMail) {
  const associated = (where) =>
    db
      .select({ agencia: agencias, asociacion: asociaciones })
      .from(asociaciones)
      .innerJoin(agencias, eq(agencias.id, asociaciones.agenciaId))
      .where(and(eq(asociaciones.appId, app.id), isNull(asociaciones.endedAt), eq(agencias.modo, app.modo), where))
      .limit(1)
  const [found] = await associated(eq(agencias.adminMail, adminMail))
  if (found) return { ...found.agencia, ...found.asociacion, id: found.agencia.id }
  const [alias] = await db
    .select()
    .from(agenciaAliases)
    .where(
      and(
        eq(agenciaAliases.modo, app.modo),
        eq(agenciaAliases.adminMail, adminMail),
        gt(agenciaAliases.expiresAt, new Date()),
      ),
    )
  const [former] = alias ? await associated(eq(agencias.id, alias.agenciaId)) : []
  if (!former) throw new Problem(404, 'No existe esa agencia para la app.')
  return { ...former.agencia, ...former.asociacion, id: former.agencia.id }
}

/** The sources that the app sees; undefined for all. */
function visibleTo(app, { consultasDeCatalogo, consultasDeOtros }) {
  if (consultasDeOtros && consultasDeCatalogo) return undefined
  return inArray(consultas.fuente, consultasDeCatalogo ? [app.id, CATALOGO] : [app.id])
}

export function consultaEntry(row, adminMail, timeZone) {
  const list = `/v3/consultas/${adminMail}`
  const self = `${list}/${row.sid}`
  return {
    Momento: toTimestamp(momentOf(row.sid), timeZone),
    OrigenLead: row.origenLead,
    TipoAnuncio: row.tipoAnuncio,
    Auto: JSON.parse(row.auto),
    Interesado: JSON.parse(row.interesado),
    OperadorResponsable: row.operador || null,
    Estado: row.estado,
    _links: {
      self: { href: self },
      estado: { href: `${self}/estado`, method: 'PUT' },
      reenviar: { href: `${self}/resendwebhook`, method: 'POST' },
      ...(row.repite && { primera: { href: `${list}/${row.repite}` } }),
      consultas: { href: list },
      agencia: { href: `/v3/agencias/${adminMail}` },
    },
  }
}

function linksOf(adminMail, pagina, total) {
  const pageAt = (number) => ({ href: `/v3/consultas/${adminMail}?pagina=${number}` })
  const last = Math.min(Math.max(1, Math.ceil(total / PER_PAGE)), 99)
  return {
    self: pageAt(pagina),
    first: pageAt(1),
    ...(pagina > 1 && { prev: pageAt(pagina - 1) }),
    ...(pagina < last && { next: pageAt(pagina + 1) }),
    last: pageAt(last),
    agencia: { href: `/v3/agencias/${adminMail}` },
  }
}

/** Midnight of a day in the market's time zone, whose offset does not change. */
const startOf = (day, timeZone) =>
  Date.parse(`${day}T00:00:00${toTimestamp(new Date(`${day}T12:00:00Z`), timeZone).slice(-6)}`)

export function consultasRoutes({ db, timeZone }) {
  const router = Router()
  router.get('/v3/consultas/:adminMail', async (request, response) => {
    const { adminMail } = check(adminMailParams, request.params)
    const query = check(listQuery, request.query)
    const agencia = await findAgencia(db, request.caller, adminMail)
    const today = toTimestamp(new Date(), timeZone).slice(0, 10)
    const from = query.desde ? startOf(query.desde, timeZone) : startOf(today, timeZone) - 90 * DAY_MS
    const until = startOf(query.hasta ?? today, timeZone) + DAY_MS
    const where = and(
      eq(consultas.agenciaId, agencia.id),
      gte(consultas.sid, firstUlid(from)),
      lt(consultas.sid, firstUlid(until)),
      visibleTo(request.caller, agencia),
      query.externalid && eq(consultas.externalKey, query.externalid.toLowerCase()),
      query.operador && query.operador !== agencia.adminMail ? eq(consultas.operador, query.operador) : undefined,
    )
    const [[{ total }], rows] = await Promise.all([
      db.select({ total: count() }).from(consultas).where(where),
      db
        .select()
        .from(consultas)
        .where(where)
        .orderBy(desc(consultas.sid))
        .limit(PER_PAGE)
        .offset((query.pagina - 1) * PER_PAGE),
    ])
    response.set('Cache-Control', 'no-store')
    response.json({
      Desde: toTimestamp(new Date(from), timeZone),
      Hasta: toTimestamp(new Date(until - 1), timeZone),
      Pagina: query.pagina,
      Total: total,
      PerPagina: PER_PAGE,
      _links: linksOf(agencia.adminMail, query.pagina, total),
      _entries: rows.map((row) => consultaEntry(row, agencia.adminMail, timeZone)),
    })
  })

  router.get('/v3/consultas/:adminMail/:sid', async (request, response) => {
    const { adminMail, sid } = check(oneParams, request.params)
    const agencia = await findAgencia(db, request.caller, adminMail)
    const [row] = await db
      .select()
      .from(consultas)
      .where(and(eq(consultas.sid, sid), eq(consultas.agenciaId, agencia.id), visibleTo(request.caller, agencia)))
    if (!row) throw new Problem(404, 'No existe esa consulta para la app.')
    response.set('Cache-Control', 'no-store')
    response.json(consultaEntry(row, agencia.adminMail, timeZone))
  })
  return router
}
