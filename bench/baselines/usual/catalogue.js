// Catalogues: in memory, serialised by res.json each time, with the ETag of Express.
import { Router } from 'express'
import Fuse from 'fuse.js'
import { z } from 'zod'
import { check, invalid } from './problems.js'

/** Without case, accents and punctuation. */
export const fold = (text) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** Finds a record by any of its names, or else what is close enough. */
export function matcherOf(rows, namesOf) {
  const exact = new Map(rows.flatMap((row) => namesOf(row).map((name) => [fold(name), row])))
  const fuse = new Fuse(
    rows.map((row) => ({ row, names: namesOf(row).map(fold) })),
    { keys: ['names'], threshold: 0.5, ignoreLocation: true, includeScore: true },
  )
  return (text) => {
    const key = fold(text)
    const same = exact.get(key)
    if (same) return { row: same, score: 1 }
    const [best] = fuse.search(key, { limit: 1 })
    return best && { row: best.item.row, score: Math.round((1 - best.score) * 100) / 100 }
  }
}

const colorEntry = ({ id, nombre, html }) => ({
  Nombre: nombre,
  HtmlColor: html,
  _links: { self: { href: `/v3/colores/${id}` }, colores: { href: '/v3/colores' } },
})
const marcaEntry = ({ id, nombre, codenames }) => ({
  Nombre: nombre,
  Codenames: codenames,
  Modelos: { _links: { self: { href: `/v3/modelos?marca=${id}` } } },
  _links: { self: { href: `/v3/marcas/${id}` }, marcas: { href: '/v3/marcas' } },
})
const ciudadEntry = ({ id, nombre, region }) => ({
  Nombre: nombre,
  Region: region.nombre,
  _links: { self: { href: `/v3/ciudades/${id}` }, region: { href: `/v3/regiones/${region.id}` } },
})

const byName = (rows, { q, nombre }) =>
  rows.filter((row) => (!q || fold(row.nombre).includes(fold(q))) && (!nombre || fold(row.nombre) === fold(nombre)))

const listQuery = z.object({ q: z.string().optional(), nombre: z.string().optional() })
const citiesQuery = z
  .object({ region: z.coerce.number().int().optional(), q: z.string().optional() })
  .refine(({ region, q }) => region !== undefined || q, 'Indique region o q.')
const matchQuery = z.object({ state: z.string().min(1), city: z.string().min(1) })

export function catalogueRoutes({ catalogue: { colores, marcas, regiones, ciudades } }) {
  const findRegion = matcherOf(regiones, ({ iso, nombre, aliases }) => [nombre, iso, ...aliases])
  const findCity = new Map(
    regiones.map(({ id }) => [
      id,
      matcherOf(
        ciudades.filter(({ region }) => region.id === id),
        ({ nombre, aliases }) => [nombre, ...aliases],
      ),
    ]),
  )
  const list = (response, self, entries) => {
    response.set('Cache-Control', 'private, no-cache')
    response.json({ _links: { self: { href: self } }, _entries: entries })
  }
  const router = Router()
  router.get('/v3/colores', (request, response) => {
    const query = check(listQuery, request.query)
    list(response, request.originalUrl, byName(colores, query).map(colorEntry))
  })
  router.get('/v3/marcas', (request, response) => {
    const query = check(listQuery, request.query)
    list(response, request.originalUrl, byName(marcas, query).map(marcaEntry))
  })
  router.get('/v3/ciudades', (request, response) => {
    const { region, q } = check(citiesQuery, request.query)
    const found = ciudades.filter((ciudad) => region === undefined || ciudad.region.id === region)
    list(response, request.originalUrl, byName(found, { q }).map(ciudadEntry))
  })
  router.get('/v3/ciudades/bestmatch', (request, response) => {
    const { state, city } = check(matchQuery, request.query)
    const region = findRegion(state)
    if (!region) throw invalid({ state: ['No se reconoce la provincia.'] })
    const found = findCity.get(region.row.id)(city)
    if (!found) throw invalid({ city: ['No se reconoce la ciudad.'] })
    response.set({ Match: `rule=close, score=${found.score}`, 'Cache-Control': 'private, no-cache' })
    response.json(ciudadEntry(found.row))
  })
  return router
}
