// Uploads of listings: rows are read and matched one by one, then inserted or updated in one transaction.
import { isDeepStrictEqual } from 'node:util'
import { and, eq, getTableColumns, inArray, ne, sql } from 'drizzle-orm'
import { Router } from 'express'
import { z } from 'zod'
import { fold, matcherOf } from './catalogue.js'
import { findAgencia } from './consultas.js'
import { adminMailParams, check, invalid } from './problems.js'
import { paquetes, publicaciones } from './tables.js'

const MOST_ROWS = 500
const EXPOSICIONES = ['Alta', 'Media', 'Baja']
const FUELS = {
  nafta: 'nafta',
  diesel: 'diesel',
  gasoil: 'diesel',
  gnc: 'gnc',
  hibrido: 'hibrido',
  electrico: 'electrico',
}

const listing = z.strictObject({
  ExternalId: z.string().regex(/^[\w.~!$&'()*+,;=:@-]{2,255}$/),
  RefStock: z.string().max(25).nullish(),
  Activa: z.boolean().default(true),
  Exposicion: z.enum(EXPOSICIONES).nullish(),
  Marca: z.string().min(1).max(200),
  Modelo: z.string().min(1).max(100),
  Version: z.string().max(100).nullish(),
  VersionYear: z.number().int().min(1908).max(2050).nullish(),
  Kilometraje: z.number().int().min(0).max(999_000).nullish(),
  Color: z.string().max(50).nullish(),
  Propulsion: z.string().max(50).nullish(),
  Transmision: z.string().max(50).nullish(),
  Precio: z.strictObject({ Moneda: z.string().length(3), Importe: z.number().min(0) }).nullish(),
  Descripcion: z.string().max(2000).nullish(),
  Fotos: z.array(z.url()).max(20).default([]),
})

/** The values of each row, or its errors. */
function readRows(given, findMake, findModel, findColour, agencia) {
  const seen = new Set()
  return given.map((value, at) => {
    const fila = at + 1
    const checked = listing.safeParse(value)
    if (!checked.success) return { fila, externalId: value?.ExternalId ?? null, errors: errorsOf(checked.error) }
    const row = checked.data
    const key = row.ExternalId.toLowerCase()
    if (seen.has(key)) return { fila, externalId: row.ExternalId, errors: { ExternalId: ['Repetido.'] } }
    seen.add(key)
    const make = findMake(row.Marca)?.row
    if (!make) return { fila, externalId: row.ExternalId, errors: { Marca: ['No se reconoce la marca.'] } }
    const model = findModel.get(make.id)?.(row.Modelo)
    const colour = row.Color ? findColour(row.Color)?.row : undefined
    if (row.Color && !colour)
      return { fila, externalId: row.ExternalId, errors: { Color: ['No se reconoce el color.'] } }
    const values = {
      externalId: row.ExternalId,
      refStock: row.RefStock ?? null,
      exposicionPedida: row.Exposicion ?? null,
      operador: agencia.adminMail,
      marcaId: make.id,
      marca: make.nombre,
      modeloId: model?.row.id ?? null,
      modelo: model?.row.nombre ?? row.Modelo,
      version: row.Version ?? null,
      versionYear: row.VersionYear ?? null,
      kilometraje: row.Kilometraje ?? null,
      colorId: colour?.id ?? null,
      color: colour?.nombre ?? null,
      propulsion: (row.Propulsion && FUELS[fold(row.Propulsion)]) ?? null,
      transmision: row.Transmision ? (/^m/i.test(row.Transmision) ? 'manual' : 'automatica') : null,
      precioMoneda: row.Precio?.Moneda ?? null,
      precioImporte: row.Precio?.Importe ?? null,
      descripcion: row.Descripcion?.trim() ?? null,
      regionId: agencia.regionId,
      region: agencia.region,
      ciudadId: agencia.ciudadId,
      ciudad: agencia.ciudad,
      fotos: row.Fotos,
    }
    const busqueda = fold(
      `${values.marca} ${values.modelo} ${values.version ?? ''} ${values.externalId} ${values.refStock ?? ''}`,
    )
    return { fila, externalId: row.ExternalId, activa: row.Activa, values: { ...values, busqueda } }
  })
}

function errorsOf({ issues }) {
  const errors = {}
  for (const { path, message } of issues) (errors[path.join('.') || '_'] ??= []).push(message)
  return errors
}

/** The places left in the agency's package. Locks it against other uploads for the agency. */
async function placesLeft(tx, agenciaId) {
  const [paquete] = await tx.select().from(paquetes).where(eq(paquetes.agenciaId, agenciaId)).for('update')
  const used = await tx
    .select({ exposicion: publicaciones.exposicion, used: sql`count(*)::int` })
    .from(publicaciones)
    .where(and(eq(publicaciones.agenciaId, agenciaId), eq(publicaciones.estado, 'Activa')))
    .groupBy(publicaciones.exposicion)
  const places = { Alta: paquete?.alta ?? 0, Media: paquete?.media ?? 0, Baja: paquete?.baja ?? 0 }
  for (const { exposicion, used: count } of used) if (exposicion) places[exposicion] -= count
  return places
}

function visibilityOf(row, current, places) {
  if (!row.activa) return { estado: 'Suspendida', suspensiones: ['app'], exposicion: current?.exposicion ?? null }
  if (current?.estado === 'Activa') return { estado: 'Activa', suspensiones: [], exposicion: current.exposicion }
  const from = row.values.exposicionPedida ? EXPOSICIONES.indexOf(row.values.exposicionPedida) : 0
  const exposicion = EXPOSICIONES.slice(from).find((level) => places[level] > 0)
  if (!exposicion) return undefined
  places[exposicion]--
  return { estado: 'Activa', suspensiones: [], exposicion }
}

const UPDATED = Object.fromEntries(
  Object.entries(getTableColumns(publicaciones))
    .filter(([name]) => !['id', 'modo', 'agenciaId', 'appId'].includes(name))
    .map(([name, column]) => [name, sql.raw(`excluded.${column.name}`)]),
)

export function loteRoutes({ db, catalogue: { marcas, modelos, colores } }) {
  const names = ({ nombre, codenames = [], aliases = [] }) => [nombre, ...codenames, ...aliases]
  const findMake = matcherOf(marcas, names)
  const findColour = matcherOf(colores, names)
  const findModel = new Map(
    marcas.map(({ id }) => [
      id,
      matcherOf(
        modelos.filter(({ marcaId }) => marcaId === id),
        names,
      ),
    ]),
  )

  async function upload(tx, app, adminMail, given) {
    const agencia = await findAgencia(tx, app, adminMail)
    const places = await placesLeft(tx, agencia.id)
    const rows = readRows(given, findMake, findModel, findColour, agencia)
    const keys = rows.filter(({ values }) => values).map(({ externalId }) => externalId.toLowerCase())
    const own = and(eq(publicaciones.agenciaId, agencia.id), eq(publicaciones.appId, app.id))
    const living = await tx
      .select()
      .from(publicaciones)
      .where(and(own, ne(publicaciones.estado, 'Archivada'), inArray(sql`lower(${publicaciones.externalId})`, keys)))
      .for('update')
    const known = new Map(living.map((row) => [row.externalId.toLowerCase(), row]))
    const [created, changed] = [[], []]
    for (const row of rows) {
      if (!row.values) continue
      const current = known.get(row.externalId.toLowerCase())
      const visibility = visibilityOf(row, current, places)
      if (!visibility) {
        row.errors = { _: ['El paquete de la agencia no tiene lugar.'] }
        continue
      }
      const next = { ...row.values, ...visibility, modo: app.modo, agenciaId: agencia.id, appId: app.id }
      if (!current) {
        created.push(next)
        row.resultado = 'creada'
      } else if (Object.keys(next).some((name) => !isDeepStrictEqual(next[name], current[name]))) {
        changed.push({ ...current, ...next, updatedAt: new Date() })
        row.resultado = 'modificada'
      } else row.resultado = 'sin-cambios'
    }
    if (created.length > 0) await tx.insert(publicaciones).values(created)
    if (changed.length > 0)
      await tx
        .insert(publicaciones)
        .overridingSystemValue()
        .values(changed)
        .onConflictDoUpdate({ target: publicaciones.id, set: UPDATED })
    return rows
  }

  const router = Router()
  router.post('/v3/publicaciones/:adminMail/lote', async (request, response) => {
    const { adminMail } = check(adminMailParams, request.params)
    const { body } = request
    const given = typeof body === 'string' ? body.split('\n').filter(Boolean).map(JSON.parse) : body
    if (!Array.isArray(given) || given.length > MOST_ROWS) throw invalid({ _: [`Una lista de hasta ${MOST_ROWS}.`] })
    const rows = await db.transaction((tx) => upload(tx, request.caller, adminMail, given))
    const of = (name) => rows.filter(({ resultado = 'rechazada' }) => resultado === name).length
    const list = `/v3/publicaciones/${adminMail}`
    response.set('Cache-Control', 'no-store').json({
      Simulacion: false,
      Resumen: {
        Creadas: of('creada'),
        Modificadas: of('modificada'),
        SinCambios: of('sin-cambios'),
        Archivadas: 0,
        Rechazadas: of('rechazada'),
      },
      _links: { publicaciones: { href: list } },
      _entries: rows.map(({ fila, externalId, resultado = 'rechazada', errors }) => ({
        Fila: fila,
        ExternalId: externalId,
        Resultado: resultado,
        ...(errors && { Errors: errors }),
        _links: errors ? {} : { self: { href: `${list}/${externalId}` } },
      })),
    })
  })
  return router
}
