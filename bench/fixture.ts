import { getOrInsert } from '../src/memoize.ts'
import { rebuildCounts } from '../src/resources/consultas/counts.ts'
import { openStore } from '../src/store/db.ts'
import { createSeal } from '../src/store/sealed.ts'
import { firstUlid } from '../src/ulid.ts'
import { makeDeveloper } from '../tests/support/developer.ts'
import { makeStaff } from '../tests/support/staff.ts'
import type { Installation } from './installation.ts'
import type { Bench } from './scenario.ts'
import { TIME_ZONE } from './usual.ts'

const DAY_MS = 86_400_000
const DAYS = 90
const ROWS_PER_AGENCY = 1_000
const MIN_AGENCIES = 50
const PUBLICACIONES_PER_AGENCY = 4
/** Rows of one statement. */
const PART = 50_000

/** A ULID in SQL: of the millisecond `ms`, with the digits of a hash of `nth`, which are digits of a ULID too. */
const ULID = `${Array.from({ length: 10 }, (_, at) => `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (ms >> ${(9 - at) * 5} & 31)::int + 1, 1)`).join(' || ')} || upper(substr(md5(nth::text), 1, 16))`

/** Rows `$1` to `$2` of `$3`, each with a moment in the last 90 days. */
const MOMENTS = `
  moment as materialized (
    select nth, at, floor(extract(epoch from at) * 1000)::bigint as ms
    from generate_series($1::int, $2::int) nth,
      lateral (select now() - make_interval(secs => ($3::int - nth) * ${DAYS * 86_400}.0 / $3::int) as at) moment)`

export interface Market {
  appId: number
  /** The largest first: it has a tenth of all inquiries. */
  agencies: { id: number; mail: string }[]
  /** Listings of some agencies. */
  publicaciones: number[]
  sitioKey: string
}

const markets = new WeakMap<Installation, Promise<Market>>()

/** Agencies with listings, and that many inquiries in the last 90 days; made once. */
export const loadMarket = (bench: Bench, installation: Installation): Promise<Market> =>
  getOrInsert(markets, installation, () => makeMarket(bench, installation))

async function makeMarket({ rows, progress }: Bench, installation: Installation): Promise<Market> {
  const { sql, connection, command, name } = installation
  const [app] = await sql<{ id: number }>('select id from apps order by id limit 1')
  const appId = app?.id ?? 0
  const agencies = await sql<{ id: number; mail: string }>(MAKE_AGENCIES, [
    Math.max(MIN_AGENCIES, Math.ceil(rows / ROWS_PER_AGENCY)),
    appId,
  ])
  const publicaciones = await sql<{ id: number }>(MAKE_PUBLICACIONES, [appId, MIN_AGENCIES * PUBLICACIONES_PER_AGENCY])
  await makeMonths(installation)
  await inParts(rows, (from, to) => sql(MAKE_CONSULTAS, [from, to, rows, agencies.map(({ id }) => id), appId]))
  const store = openStore({ connection, max: 1 })
  await store.transaction((tx) => rebuildCounts(tx, TIME_ZONE)).finally(() => store.close())
  // Never the empty tables, as autovacuum: the server would keep plans that read them whole, however long they become.
  await sql('vacuum analyze agencias, accounts, operadores, paquetes, asociaciones, publicaciones, consultas')
  const { SitioKey: sitioKey } = await command<{ SitioKey: string }>('sitio', 'create')
  progress(`${name}: ${rows.toLocaleString('en')} inquiries loaded`)
  return { appId, agencies, publicaciones: publicaciones.map(({ id }) => id), sitioKey }
}

async function inParts(rows: number, load: (from: number, to: number) => Promise<unknown>): Promise<void> {
  for (let from = 1; from <= rows; from += PART) await load(from, Math.min(from + PART - 1, rows))
}

/** Partitions for the months that the rows fall in. In another checkout, inquiries alone may be partitioned. */
async function makeMonths({ sql }: Installation): Promise<void> {
  const now = new Date()
  const first = new Date(now.getTime() - DAYS * DAY_MS)
  const startOf = (later: number) => new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + later, 1))
  const tables = `select partrelid::regclass::text as table from pg_partitioned_table where partstrat = 'r'`
  for (const { table } of await sql<{ table: string }>(tables))
    for (let later = 0; startOf(later) <= now; later++) {
      const name = `${table}_${startOf(later).toISOString().slice(0, 7).replace('-', '_')}`
      const range = `from ('${firstUlid(startOf(later))}') to ('${firstUlid(startOf(later + 1))}')`
      const room = table === 'deliveries' ? 'with (fillfactor = 45)' : ''
      await sql(`create table if not exists ${name} partition of ${table} for values ${range} ${room}`)
    }
}

/** Agencies with their administrator, a package, and the association with the app. */
const MAKE_AGENCIES = `
  with made as (
    insert into agencias (modo, admin_mail, nombre)
    select 'produccion', 'agencia' || nth || '@agencias.example', 'Agencia ' || nth from generate_series(1, $1::int) nth
    returning id, admin_mail
  ), people as (
    insert into accounts (modo, email, nombre, apellido)
    select 'produccion', admin_mail, 'Ana', 'Paz' from made returning id, email
  ), administrators as (
    insert into operadores (agencia_id, account_id, rol)
    select made.id, people.id, 'administrador' from made join people on people.email = made.admin_mail
  ), packages as (
    insert into paquetes (agencia_id, nombre, desde, hasta, alta)
    select id, 'Todo', '2020-01-01', '2049-12-31', 1000000 from made
  ), associated as (
    insert into asociaciones (app_id, agencia_id, editar, consultas_de_catalogo, consultas_de_otros)
    select $2::int, id, true, true, true from made
  )
  select id, admin_mail as mail from made order by id`

const MAKE_PUBLICACIONES = `
  insert into publicaciones (modo, agencia_id, app_id, external_id, ref_stock, estado, exposicion, operador, marca_id, marca,
    modelo, version, version_year, kilometraje, color, propulsion, transmision, precio_moneda, precio_importe, busqueda)
  select 'produccion', id, $1::int, 'AB-' || id || '-' || nth, 'S-' || nth, 'Activa', 'Alta', admin_mail, 56, 'Fiat',
    'Cronos', '1.3 Drive', 2022, 38000, 'Blanco', 'nafta', 'manual', 'ARS', 18500000, 'fiat cronos'
  from agencias cross join generate_series(1, ${PUBLICACIONES_PER_AGENCY}) nth order by id limit $2 returning id`

/** Seven of ten inquiries are about a listing of the app, the others about the catalogue. */
const MAKE_CONSULTAS = `
  with ${MOMENTS}, made as (
    select *, ($4::int[])[case when nth % 10 = 0 then 1 else (hashint4(nth) & 1048575) % cardinality($4::int[]) + 1 end] as agencia,
      nth % 10 < 7 as listed, nth % 40 as listing
    from moment)
  insert into consultas (sid, modo, agencia_id, fuente, publicacion_id, external_key, tipo_anuncio, origen_lead, auto,
    interesado, email, telefono, operador)
  select ${ULID}, 'produccion', agencia, case when listed then $5::int else 0 end,
    case when listed then agencia * 40 + listing end, case when listed then 'st-' || agencia || '-' || listing end,
    case when listed then 'publicacion' else 'catalogo' end, 'form',
    json_build_object('ExternalId', case when listed then 'ST-' || agencia || '-' || listing else '' end, 'RefStock', null,
      'Marca', 'Fiat', 'Modelo', 'Cronos', 'Version', null, 'VersionYear', 2012 + listing % 12, 'Kilometraje', listing * 4000,
      'Color', 'Blanco', 'BodyType', null, 'Estado', case when listed then 'usado' else 'nuevo' end,
      'Precio', json_build_object('Moneda', 'ARS', 'Importe', 9000000 + listing * 250000), 'Anticipo', null, 'Cuota', null),
    json_build_object('Interes', 'compra', 'Nombre', 'Lucía', 'Apellido', 'Ferreyra', 'Email', 'persona' || nth || '@correo.example',
      'Telefono', '+54 9 341 ' || 1000000 + nth % 9000000, 'DocIdentidad', null, 'Provincia', 'Santa Fe', 'Ciudad', 'Rosario',
      'Comentario', 'Hola, quisiera saber si sigue disponible y si aceptan un usado en parte de pago. Gracias.',
      'InfoOperacion', null),
    'persona' || nth || '@correo.example', '549341' || 1000000 + nth % 9000000,
    case nth % 4 when 0 then g.admin_mail else 'vendedor' || nth % 4 || '.' || g.admin_mail end
  from made join agencias g on g.id = agencia`

export interface DeliveryLog {
  /** Session cookies of a developer of the app and of one of the staff. */
  cookies: { developer: string; staff: string }
  /** For the cookie of the usual server. */
  staff: { accountId: number; version: number }
}

const logs = new WeakMap<Installation, Promise<DeliveryLog>>()

/** As many deliveries in the log of the app as there are inquiries; made once. */
export const loadDeliveryLog = (bench: Bench, installation: Installation): Promise<DeliveryLog> =>
  getOrInsert(logs, installation, () => makeDeliveryLog(bench, installation))

async function makeDeliveryLog(bench: Bench, installation: Installation): Promise<DeliveryLog> {
  const { rows, progress } = bench
  const { appId, agencies } = await loadMarket(bench, installation)
  const { sql, connection, masterKey, name } = installation
  await sql(
    `insert into webhooks (app_id, topic, callback, last_delivery_at)
     select $1::int, topic, 'https://avisos.example/rodado', now() from unnest($2::text[]) topic on conflict do nothing`,
    [appId, TOPICS],
  )
  await growDeliveryLog(installation, { appId, agencies }, 0, rows)
  progress(`${name}: ${rows.toLocaleString('en')} deliveries loaded`)
  const server = await installation.start({ ROLE: 'api' }, 'any')
  const store = openStore({ connection, max: 2 })
  try {
    const at = { store, seal: createSeal(masterKey), url: `http://127.0.0.1:${server.port}` }
    const developer = await makeDeveloper(at, { app: { id: appId } as never })
    const staff = await makeStaff(at)
    const cookies = { developer: developer.visitor.cookie(), staff: staff.visitor.cookie() }
    return { cookies, staff: { accountId: staff.account.id, version: staff.account.version } }
  } finally {
    await store.close()
    await server.stop()
  }
}

/** Adds events with their deliveries and attempts, from one number of them to another, over the last 90 days. */
export async function growDeliveryLog(
  { sql }: Installation,
  { appId, agencies }: Pick<Market, 'appId' | 'agencies'>,
  from: number,
  to: number,
): Promise<void> {
  const ids = agencies.map(({ id }) => id)
  await inParts(to - from, (first, last) => sql(MAKE_DELIVERIES, [from + first, from + last, to, ids, appId, TOPICS]))
  await sql('vacuum analyze events, deliveries, delivery_attempts')
}

const TOPICS = ['consulta.recibida', 'consulta.modificada', 'agencia.modificada']

/** Of a thousand deliveries ten have failed and five were discarded; all others arrived. */
const MAKE_DELIVERIES = `
  with ${MOMENTS}, made as materialized (
    select ${ULID} as id, nth, at, ($6::text[])[nth % 3 + 1] as topic, g.id as agencia_id, g.admin_mail, g.nombre,
      case when nth % 1000 < 10 then 'fallida' when nth % 1000 < 15 then 'descartada' else 'entregada' end as estado,
      case when nth % 1000 < 10 then 10 when nth % 1000 < 15 then 0 else 1 end as attempts
    from moment join agencias g on g.id = ($4::int[])[(hashint4(nth) & 1048575) % cardinality($4::int[]) + 1]
  ), published as (
    insert into events (id, app_id, agencia_id, topic, sid, payload, created_at)
    select id, $5::int, agencia_id, topic, case when topic <> 'agencia.modificada' then id end,
      json_build_object('Id', id, 'Topic', topic, 'Version', 1, 'Agencia',
        json_build_object('href', '/v3/agencias/' || admin_mail, 'title', nombre || ' (' || admin_mail || ')'),
        'AdminMail', admin_mail, 'Mensaje', repeat('¿Sigue disponible? ', 40)), at
    from made
  ), attempted as (
    insert into delivery_attempts (delivery_id, at, ms, address, status, answer, error)
    select id, at + attempt * interval '5 seconds', 40 + nth % 90, '203.0.113.7',
      case when estado = 'fallida' then 500 else 200 end, '{"recibido":true}',
      case when estado = 'fallida' then 'El receptor respondió 500.' end
    from made, generate_series(1, attempts) attempt
  )
  insert into deliveries (id, app_id, webhook_id, estado, attempts, due_at, created_at, settled_at)
  select made.id, $5::int, w.id, estado, made.attempts, at, at, at
  from made join webhooks w on w.app_id = $5::int and w.topic = made.topic`
