// The delivery log for staff, rendered on the server; the session is a signed cookie.
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
const SECTIONS = 'apps agencias consultas publicaciones entregas correos auditoria personal sitios'.split(' ')
const TOPICS = (
  'agencia.registrada agencia.modificada agencia.desasociada consulta.recibida consulta.modificada ' +
  'consulta.suprimida publicacion.activada publicacion.suspendida publicacion.archivada webhook.prueba'
).split(' ')
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

const HEADS = ['Momento', 'App y agencia', 'Topic', 'Estado', 'Respuesta', 'Intentos']

const Layout = ({ title, account, children }) =>
  h('html', { lang: 'es' }, [
    h('head', null, [
      h('meta', { charset: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('title', null, `${title} · Consola`),
      h('link', { rel: 'stylesheet', href: '/assets/consola.css' }),
      h('script', { src: '/assets/htmx.js', defer: true }),
    ]),
    h('body', null, [
      h('a', { class: 'skip', href: '#contenido' }, 'Ir al contenido'),
      h('header', { class: 'masthead' }, [
        h('a', { class: 'brand', href: '/' }, 'Rodado'),
        h('nav', { 'aria-label': 'Principal' }, [
          h('a', { href: '/consola' }, 'Consola'),
          h('a', { href: '/cuenta' }, h('span', { class: 'who' }, account.nombre)),
          h('form', { method: 'post', action: '/salir' }, h('button', { type: 'submit' }, 'Salir')),
        ]),
      ]),
      h('div', { class: 'frame with-aside' }, [
        h(
          'nav',
          { class: 'sections', 'aria-label': 'Consola' },
          h(
            'ul',
            null,
            SECTIONS.map((section) => h('li', null, h('a', { href: `/consola/${section}` }, section))),
          ),
        ),
        h('main', { id: 'contenido' }, [h('header', { class: 'lead' }, h('h1', null, title)), children]),
      ]),
    ]),
  ])

const Field = ({ name, label, children }) => h('div', null, [h('label', { for: `campo-${name}` }, label), children])

const Select = ({ name, label, values, chosen }) =>
  h(
    Field,
    { name, label },
    h('select', { id: `campo-${name}`, name }, [
      h('option', { value: '' }, 'Todos'),
      ...values.map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
    ]),
  )

const Input = ({ name, label, type }) => h(Field, { name, label }, h('input', { id: `campo-${name}`, name, type }))

const Filters = ({ query, known }) =>
  h(
    'search',
    null,
    h('form', { method: 'get', action: '/consola/entregas', class: 'filter' }, [
      h(Select, { name: 'app', label: 'App', values: known.map((app) => [app.appKey, app.nombre]), chosen: query.app }),
      h(Input, { name: 'q', label: 'Id, sid o agencia', type: 'search' }),
      h(Select, { name: 'topic', label: 'Topic', values: TOPICS.map((topic) => [topic, topic]) }),
      h(Select, { name: 'estado', label: 'Estado', values: ESTADOS.map((name) => [name, name]), chosen: query.estado }),
      h(Input, { name: 'desde', label: 'Desde', type: 'datetime-local' }),
      h(Input, { name: 'hasta', label: 'Hasta', type: 'datetime-local' }),
      h('button', { type: 'submit', class: 'secondary' }, 'Buscar'),
    ]),
  )

const Moment = ({ id, timeZone }) => {
  const moment = momentOf(id)
  return h('time', { datetime: moment.toISOString(), title: moment.toISOString() }, toTimestamp(moment, timeZone))
}

const Badge = ({ kind, children }) => h('span', { class: `badge ${kind}` }, children)

const Row = ({ row: { event, delivery, app }, last, timeZone }) =>
  h('tr', null, [
    h(
      'td',
      { 'data-head': 'Momento' },
      h('a', { class: 'nowrap', href: `/consola/entregas/${event.id}` }, h(Moment, { id: event.id, timeZone })),
    ),
    h(
      'td',
      { 'data-head': 'App y agencia' },
      h('span', null, [
        h('a', { href: `/consola/apps/${app.appKey}` }, app.nombre),
        h('span', { class: 'hint below' }, JSON.parse(event.payload).Agencia?.title),
      ]),
    ),
    h(
      'td',
      { 'data-head': 'Topic' },
      h('span', { class: 'two-lines' }, [h('strong', null, event.topic), h('code', { class: 'id' }, event.id)]),
    ),
    h('td', { 'data-head': 'Estado' }, h(Badge, { kind: delivery.estado }, delivery.estado)),
    h(
      'td',
      { 'data-head': 'Respuesta' },
      last
        ? h('span', { class: 'nowrap' }, [
            h(Badge, { kind: 'status' }, last.status ?? last.error),
            h('span', { class: 'hint' }, `${last.ms} ms`),
          ])
        : h('span', { class: 'hint' }, '–'),
    ),
    h('td', { class: 'number', 'data-head': 'Intentos' }, delivery.attempts + delivery.carried),
  ])

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
    const table = h('table', { class: 'listing' }, [
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          HEADS.map((name) => h('th', { scope: 'col' }, name)),
        ),
      ),
      h(
        'tbody',
        null,
        shown.map((row) => h(Row, { row, last: last.get(row.event.id), timeZone })),
      ),
    ])
    const older = rows.length > PER_PAGE && h('a', { href: `?antes=${ids.at(-1)}` }, 'Anteriores')
    const page = h(Layout, { title: 'Entregas', account: request.account }, [
      h(Filters, { query, known }),
      table,
      older,
    ])
    response
      .set('Cache-Control', 'no-store')
      .type('html')
      .send(`<!doctype html>${renderToString(page)}`)
  })
  return router
}
