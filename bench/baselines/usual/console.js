// The log of deliveries for the marketplace's staff: signed in by a cookie, rendered on the server.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, inArray, isNull, lt } from 'drizzle-orm'
import { Router } from 'express'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { z } from 'zod'
import { momentOf, toTimestamp } from './ids.js'
import { check, Problem } from './problems.js'
import { accounts, apps, deliveries, deliveryAttempts, events, staff } from './tables.js'

const PER_PAGE = 50
const PLACES = [
  'apps',
  'agencias',
  'consultas',
  'publicaciones',
  'entregas',
  'correos',
  'auditoria',
  'personal',
  'sitios',
]
const ESTADOS = ['pendiente', 'entregada', 'fallida', 'descartada']
const logQuery = z.object({
  app: z.string().optional(),
  estado: z.enum(ESTADOS).optional(),
  antes: z.string().optional(),
})

export function signedIn({ db, sessionKey }) {
  return async (request, _response, next) => {
    const [, id, version, mac = ''] = /(?:^|; )sesion=(\d+)\.(\d+)\.([\w-]+)/.exec(request.get('cookie') ?? '') ?? []
    const made = createHmac('sha256', sessionKey).update(`${id}.${version}`).digest()
    const given = Buffer.from(mac, 'base64url')
    if (given.length !== made.length || !timingSafeEqual(made, given)) throw new Problem(404, 'No hay nada aquí.')
    const [account] = await db
      .select({ nombre: accounts.nombre, version: accounts.version })
      .from(accounts)
      .innerJoin(staff, eq(staff.accountId, accounts.id))
      .where(and(eq(accounts.id, Number(id)), isNull(staff.endedAt)))
    if (account?.version !== Number(version)) throw new Problem(404, 'No hay nada aquí.')
    request.account = account
    next()
  }
}

const Layout = ({ title, account, children }) =>
  h(
    'html',
    { lang: 'es' },
    h(
      'head',
      null,
      h('meta', { charset: 'utf-8' }),
      h('title', null, title),
      h('link', { rel: 'stylesheet', href: '/c.css' }),
    ),
    h(
      'body',
      null,
      h('header', null, h('a', { href: '/consola' }, 'Rodado'), h('span', null, account.nombre)),
      h(
        'nav',
        null,
        h(
          'ul',
          null,
          PLACES.map((place) => h('li', null, h('a', { href: `/consola/${place}` }, place))),
        ),
      ),
      h('main', null, h('h1', null, title), children),
    ),
  )

const Filters = ({ query, known }) =>
  h(
    'form',
    { method: 'get' },
    h(
      'label',
      null,
      'App',
      h(
        'select',
        { name: 'app' },
        known.map((app) => h('option', { value: app.appKey }, app.nombre)),
      ),
    ),
    h(
      'label',
      null,
      'Estado',
      h(
        'select',
        { name: 'estado' },
        ESTADOS.map((name) => h('option', { selected: name === query.estado }, name)),
      ),
    ),
    h('button', null, 'Buscar'),
  )

const Row = ({ row: { event, delivery, app }, last, timeZone }) =>
  h(
    'tr',
    null,
    h('td', null, h('a', { href: `/consola/entregas/${event.id}` }, toTimestamp(momentOf(event.id), timeZone))),
    h('td', null, h('a', { href: `/consola/apps/${app.appKey}` }, app.nombre)),
    h('td', null, event.topic),
    h('td', null, JSON.parse(event.payload).Agencia?.title),
    h('td', { class: delivery.estado }, delivery.estado),
    h('td', null, delivery.attempts + delivery.carried),
    h('td', null, last ? `${last.status ?? last.error} en ${last.ms} ms` : ''),
  )

export function consoleRoutes({ db, sessionKey, timeZone }) {
  const router = Router()
  router.get('/consola/entregas', signedIn({ db, sessionKey }), async (request, response) => {
    const query = check(logQuery, request.query)
    const known = await db.select({ appKey: apps.appKey, nombre: apps.nombre }).from(apps).orderBy(apps.nombre)
    const rows = await db
      .select({ event: events, delivery: deliveries, app: { appKey: apps.appKey, nombre: apps.nombre } })
      .from(deliveries)
      .innerJoin(events, eq(events.id, deliveries.id))
      .innerJoin(apps, eq(apps.id, events.appId))
      .where(
        and(
          query.app ? eq(apps.appKey, query.app) : undefined,
          query.estado ? eq(deliveries.estado, query.estado) : undefined,
          query.antes ? lt(deliveries.id, query.antes) : undefined,
        ),
      )
      .orderBy(desc(deliveries.id))
      .limit(PER_PAGE + 1)
    const shown = rows.slice(0, PER_PAGE)
    const ids = shown.map(({ event }) => event.id)
    const attempts = await db
      .select()
      .from(deliveryAttempts)
      .where(inArray(deliveryAttempts.deliveryId, ids))
      .orderBy(deliveryAttempts.at)
    const last = new Map(attempts.map((attempt) => [attempt.deliveryId, attempt]))
    const table = h(
      'table',
      null,
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          ['Momento', 'App', 'Topic', 'Agencia', 'Estado', 'Intentos', 'Último'].map((name) => h('th', null, name)),
        ),
      ),
      h(
        'tbody',
        null,
        shown.map((row) => h(Row, { row, last: last.get(row.event.id), timeZone })),
      ),
    )
    const older = rows.length > PER_PAGE && h('a', { href: `?antes=${ids.at(-1)}` }, 'Anteriores')
    const page = h(Layout, { title: 'Entregas', account: request.account }, h(Filters, { query, known }), table, older)
    response
      .set('Cache-Control', 'no-store')
      .type('html')
      .send(`<!doctype html>${renderToString(page)}`)
  })
  return router
}
