import sql from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import type { Audited } from '../../accounts/audit.ts'
import type { App } from '../../apps/app.ts'
import { DAY_MS } from '../../clock.ts'
import { addDays, dayOf, momentAt } from '../../http/dates.ts'
import { message } from '../../i18n/messages.tsx'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import type { Consulta } from '../../resources/consultas/consulta.ts'
import { setReminder } from '../../resources/consultas/reminders.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { insertSucursal } from '../../resources/sucursales/store.ts'
import { normalizeHours } from '../../resources/sucursales/sucursal.ts'
import type { Chance } from '../../sandbox/fiction/chance.ts'
import type { CountryFacts } from '../../sandbox/fiction/market.ts'
import type { Db } from '../../store/db.ts'
import { momentOf } from '../../ulid.ts'
import { THREE_MONTHS } from './consultas.ts'
import type { PublishedIncident } from './status.ts'

/** The apps' requests by hour over three months, and their deliveries as they are stored. */
export async function loadUsage(tx: Db, apps: readonly { app: App; share: number }[], timeZone: string): Promise<void> {
  const ids = apps.map(({ app }) => app.id)
  await tx.query(sql`
    insert into app_usage (app_id, hora, solicitudes, sin_cambios, errores, limitadas, fallas, entregadas, intentos_fallidos,
                           abandonadas)
    select app_id, hora, calls, calls * 2 / 5, calls / 45,
      case when calls > 800 and hora < now() - interval '2 days' then calls / 60 else 0 end, 0,
      coalesce(entregadas, 0), coalesce(intentos_fallidos, 0), coalesce(abandonadas, 0)
    from unnest(${ids}::int[], ${apps.map(({ share }) => share)}::float8[]) as app (app_id, share)
    cross join generate_series(date_trunc('hour', now()) - make_interval(days => ${THREE_MONTHS}), date_trunc('hour', now()),
                               interval '1 hour') as hora
    cross join lateral (
      select extract(hour from hora at time zone ${timeZone})::float8 as h, extract(isodow from hora at time zone ${timeZone}) as day
    ) as local
    cross join lateral (
      select (share * (120 + 640 * greatest(0, sin((h - 7) * pi() / 14))) * case day when 7 then 0.3 else 1 end
              * (0.8 + 0.4 * (hashint8(extract(epoch from hora)::bigint) & 255) / 255.0))::int as calls
    ) as load
    left join (
      select d.app_id, date_trunc('hour', t.at) as hora, count(*) filter (where t.error is null) as entregadas,
        count(*) filter (where t.error is not null) as intentos_fallidos
      from deliveries d join delivery_attempts t on t.delivery_id = d.id where d.app_id = any (${ids}::int[]) group by 1, 2
    ) as attempted using (app_id, hora)
    left join (
      select app_id, date_trunc('hour', settled_at) as hora, count(*) as abandonadas
      from deliveries where app_id = any (${ids}::int[]) and estado = 'fallida' group by 1, 2
    ) as abandoned using (app_id, hora)`)
  await loadCalls(tx, ids)
  await tx.query(sql`
    insert into app_reads (agencia_id, app_id, dia, datos, consultas)
    select agencia_id, app_id, dia::date, 1 + (hashint4(agencia_id + extract(doy from dia)::int) & 3),
      4 + (hashint4(app_id + extract(doy from dia)::int) & 15)
    from asociaciones, generate_series((now() - make_interval(days => ${THREE_MONTHS})) at time zone ${timeZone},
      now() at time zone ${timeZone}, interval '1 day') as dia
    where app_id = any (${ids}::int[]) and created_at at time zone ${timeZone} <= dia
    on conflict do nothing`)
}

/** Steps to production that an app has done, in this order, one a day since it was created. */
const MILESTONES = [
  'firma',
  'condicional',
  'bestmatch',
  'invitacion',
  'agencia',
  'publicacion',
  'entrega',
  'reintento',
  'eventos',
  'consulta',
  'estado',
]

export async function loadMilestones(tx: Db, app: App, since: Date): Promise<void> {
  await tx.query(sql`
    insert into app_firsts (app_id, hecho, at)
    select ${app.id}, hecho, ${since}::timestamptz + nth * interval '20 hours'
    from unnest(${MILESTONES}::text[]) with ordinality as milestone (hecho, nth) on conflict do nothing`)
  await tx.query(sql`
    insert into receiver_checks (app_id, topic, at, status, refused)
    values (${app.id}, 'consulta.recibida', ${since}::timestamptz + interval '9 days', 401, true)`)
}

const BOUNCED = '550 5.1.1 La casilla no existe.'
const BOUNCED_EVERY = 400

/** The emails about the inquiries: to the salesperson, and the receipt to those who left an address. */
export async function loadEmails(tx: Db, consultas: readonly Consulta[]): Promise<void> {
  const inOrder = consultas.toSorted((a, b) => (a.sid < b.sid ? -1 : 1))
  await tx.query(sql`
    insert into mails (kind, to_address, sid, estado, attempts, last_error, created_at, due_at, settled_at,
      receipt_to, receipt_id, receipt_estado, receipt_attempts, receipt_error, receipt_due_at, receipt_settled_at)
    select 'consulta', operador, sid, 'entregada', 1, null, at, at, at + interval '2 seconds', receipt_to,
      case when receipt_to is not null then nextval('mails_id_seq') end,
      case when receipt_to is not null then case when bounced then 'fallida' else 'entregada' end end,
      case when receipt_to is not null then 1 else 0 end, case when receipt_to is not null and bounced then ${BOUNCED} end,
      at, case when receipt_to is not null then at + interval '3 seconds' end
    from (
      select c.operador, c.sid, given.at, c.email as receipt_to,
        row_number() over (order by c.email is null, c.sid desc) % ${BOUNCED_EVERY}::int = 9 as bounced
      from unnest(${inOrder.map(({ sid }) => sid)}::text[], ${inOrder.map(({ sid }) => momentOf(sid))}::timestamptz[])
        as given (sid, at) join consultas c on c.sid = given.sid
    ) as email order by sid`)
}

/** How often listings were viewed, day by day. */
export const loadVisits = (tx: Db, publicaciones: readonly Publicacion[], timeZone: string): Promise<unknown> =>
  tx.query(sql`
    insert into visitas (publicacion_id, dia, cantidad)
    select p.id, dia::date, 3 + (hashint4(p.id + extract(doy from dia)::int) & 31)
    from publicaciones p, generate_series(greatest(p.created_at, now() - interval '60 days') at time zone ${timeZone},
                                          now() at time zone ${timeZone}, interval '1 day') as dia
    where p.id = any (${publicaciones.map(({ id }) => id)}::int[])`)

const REASONS = [
  'El precio no coincide con el del local. Corríjalo y avísenos.',
  'Las fotos son de otro auto. Suba las de este.',
]

/** Some listings that are not shown: suspended by staff, by the app, or sold. Returns those of staff. */
export async function endPublicaciones(tx: Db, publicaciones: readonly Publicacion[]): Promise<Moderated[]> {
  const active = publicaciones.filter(({ estado }) => estado === 'Activa')
  const every = (nth: number) => active.filter((_, at) => at % 17 === nth).map(({ id }) => id)
  const moderated = REASONS.map((motivo, at) => ({ id: every(5)[at] ?? 0, motivo, daysAgo: at + 1 }))
  for (const { id, motivo, daysAgo } of moderated)
    await tx.query(sql`
      update publicaciones set estado = 'Suspendida', suspensiones = '{mercado}', motivo = ${motivo}, exposicion = null,
        updated_at = now() - make_interval(days => ${daysAgo}) where id = ${id}`)
  await tx.query(sql`
    update publicaciones set estado = 'Suspendida', suspensiones = '{app}', exposicion = null, updated_at = now() - interval '4 days'
    where id = any (${every(9).slice(0, 3)}::int[])`)
  await tx.query(sql`
    update publicaciones set estado = 'Archivada', archived_at = now() - interval '2 days', updated_at = now() - interval '2 days'
    where id = any (${every(13)}::int[])`)
  return moderated
}

/** A listing that staff suspended. */
interface Moderated {
  id: number
  motivo: string
  daysAgo: number
}

const WEEKDAYS = ['Lunes', 'Martes', 'Miercoles', 'Jueves', 'Viernes'] as const
const HOURS = normalizeHours({
  ...Object.fromEntries(
    WEEKDAYS.map((day) => [
      day,
      [
        { Desde: '09:00', Hasta: '13:00' },
        { Desde: '15:00', Hasta: '19:30' },
      ],
    ]),
  ),
  Sabado: [{ Desde: '09:00', Hasta: '13:00' }],
})

/** A branch with hours for the first agencies, and a change of its data in their history. */
export async function loadSucursales(
  tx: Db,
  agencias: readonly Agencia[],
  app: App,
  facts: CountryFacts,
): Promise<void> {
  for (const [at, agencia] of agencias.entries()) {
    const { id, regionId, region, ciudadId, ciudad } = agencia
    const number = `${facts.telephone} 555-01${10 + at}`
    const whatsapp = number.replaceAll(/[ -]/g, '') // as the API takes it
    await tx.query(sql`update agencias set telefono = ${number}, whatsapp = ${whatsapp} where id = ${id}`)
    if (at > 2) continue
    await insertSucursal(tx, id, {
      nombre: 'Salón de usados',
      telefono: number,
      whatsapp,
      email: agencia.adminMail,
      regionId,
      region,
      ciudadId,
      ciudad,
      direccion: `Ruta 9, km ${12 + at * 7}`,
      codigoPostal: null,
      horarios: HOURS,
    })
    const changes = [{ campo: 'WhatsApp', antes: null, despues: whatsapp }]
    await tx.query(sql`
      insert into agencia_history (agencia_id, app_id, changes, at)
      values (${id}, ${app.id}, ${JSON.stringify(changes)}, now() - make_interval(days => ${20 - at * 6}))`)
  }
}

const NOTES = [
  'Viene a verlo el sábado a la mañana.',
  'Pide que le tomen su auto en parte de pago. Mandar fotos al tasador.',
  'Quiere financiar la mitad. Le pasé las cuotas por WhatsApp.',
  'No atendió. Volver a llamar a la tarde.',
]
/** So many of an agency's newest answered inquiries have a note. */
const NOTED = 8
/** When reminders of the administrator are or were due: so many days from today, at this time of the marketplace. */
const REMINDERS = [
  [-1, '17:30'],
  [0, '09:30'],
  [1, '11:00'],
] as const

/** What the agencies' people did with the inquiries: the states they set, notes, and reminders of the administrators. */
export async function loadInbox(
  tx: Db,
  { agencias, administrators, consultas }: Pick<Office, 'agencias' | 'administrators' | 'consultas'>,
  now: Date,
  timeZone: string,
): Promise<void> {
  await tx.query(sql`
    insert into consulta_history (sid, at, account_id, act, detail)
    select c.sid, c.estado_at, a.id, 'estado', c.estado
    from consultas c join accounts a on a.email = c.operador and a.modo = c.modo
    where c.agencia_id = any (${agencias.map(({ id }) => id)}::int[]) and c.estado_at is not null order by c.estado_at`)
  await tx.query(sql`
    insert into consulta_history (sid, at, account_id, act, detail)
    select sid, least(at + interval '4 minutes', now()), account_id, 'nota', (${NOTES}::text[])[1 + nth % ${NOTES.length}::int]
    from (
      select h.sid, h.at, h.account_id, row_number() over (partition by c.agencia_id order by h.sid desc)::int as nth
      from consulta_history h join consultas c on c.sid = h.sid
      where c.agencia_id = any (${agencias.map(({ id }) => id)}::int[]) and h.detail = 'contactada'
    ) as answered where nth <= ${NOTED}::int order by at`)
  for (const { id, adminMail } of agencias) {
    const account = administrators.find(({ email }) => email === adminMail)
    const open = consultas
      .filter(({ agenciaId, estado }) => agenciaId === id && estado === 'contactada')
      .slice(-REMINDERS.length)
    for (const [at, consulta] of open.entries()) {
      const [days, time] = REMINDERS[at] ?? REMINDERS[0]
      const due = momentAt(`${addDays(dayOf(now, timeZone), days)}T${time}`, timeZone)
      if (account && due) await setReminder(tx, consulta, account.id, due)
    }
  }
  await tx.query(sql`
    update consulta_reminders set sent_at = due_at
    where agencia_id = any (${agencias.map(({ id }) => id)}::int[]) and due_at <= ${now}`)
}

interface Office {
  staff: Account
  developer: Account
  administrators: Account[]
  app: App
  agencias: Agencia[]
  consultas: Consulta[]
  moderated: Moderated[]
  incidents: PublishedIncident[]
}

/** A log that has more than this is somebody's: nothing invented is added to it, and its dates stay in order. */
const MAX_AUDITED = 200
const AUDITED_DAYS = 21
const ACTS = 140

type Act = [account: Account, via: Audited['via'], act: string, subject: string, detail?: Record<string, unknown>]

/** Three weeks of the audit log: what staff, developers and agencies opened and did. */
export async function loadAudit(tx: Db, office: Office, now: Date, chance: Chance): Promise<void> {
  const count = await tx.count(sql`select count(*) from (select from audit_log limit ${MAX_AUDITED + 1}) as counted`)
  if (count > MAX_AUDITED) return
  const { staff, developer, administrators, app, agencias, consultas, moderated, incidents } = office
  const recent = consultas.filter(({ sid }) => now.getTime() - momentOf(sid).getTime() < AUDITED_DAYS * DAY_MS)
  const agencia = () => chance.pick(agencias).adminMail
  const sid = () => chance.pick(recent).sid
  const acts: (() => Act)[] = [
    () => [staff, 'consola', 'sesion.abrir', `cuenta ${staff.id}`],
    () => [staff, 'consola', 'agencia.leer', agencia()],
    () => [staff, 'consola', 'consulta.leer', sid()],
    () => [staff, 'consola', 'app.leer', app.appKey],
    () => [staff, 'consola', 'agencia.paquete', agencia(), { nombre: 'Plan 50' }],
    () => [staff, 'consola', 'consultas.listar', '', { estado: 'nueva' }],
    () => [developer, 'portal', 'sesion.abrir', `cuenta ${developer.id}`],
    () => [developer, 'portal', 'webhook.prueba', app.appKey, { topic: 'consulta.recibida' }],
    () => [developer, 'portal', 'api.probar', app.appKey, { metodo: 'GET', ruta: '/v3/ciudades/bestmatch' }],
    () => [developer, 'portal', 'entregas.reenviar', app.appKey, { estado: 'fallida', cantidad: 12 }],
    () => [chance.pick(administrators), 'agencia', 'consulta.leer', sid()],
    () => [chance.pick(administrators), 'agencia', 'consultas.listar', '', { estado: 'nueva' }],
  ]
  const rows = [
    ...Array.from({ length: ACTS }, () => ({ act: chance.pick(acts)(), daysAgo: chance.next() * AUDITED_DAYS })),
    ...moderated.map(({ id, motivo, daysAgo }) => {
      const act: Act = [staff, 'consola', 'aviso.suspender', String(id), { motivo }]
      return { act, daysAgo }
    }),
    ...incidents
      .filter(({ daysAgo }) => daysAgo < AUDITED_DAYS)
      .map(({ id, titulo, daysAgo }) => {
        const act: Act = [staff, 'consola', 'incidente.publicar', String(id), { titulo }]
        return { act, daysAgo }
      }),
  ].map(({ act: [account, via, act, subject, detail], daysAgo }) => {
    const at = new Date(now.getTime() - daysAgo * DAY_MS)
    return { at, account: account.id, via, act, subject, detail: detail ?? null }
  })
  await tx.query(sql`
    insert into audit_log (at, account_id, via, act, subject, detail)
    select at, account, via, act, subject, detail
    from json_to_recordset(${JSON.stringify(rows)}) as row (
      at timestamptz, account int, via text, act text, subject text, detail jsonb)
    order by at`)
}

const REFUSED = {
  detail: message('problema.invalid'),
  errors: { Modelo: ['Falta este dato.'] },
  codes: { Modelo: ['requerido'] },
}
const REFUSED_BODY = '{"ExternalId":"string 5","Marca":"string 4","Kilometraje":"number"}'

/** A call every two minutes of the last day, as the log of calls has them; one in nine was refused. */
const loadCalls = (tx: Db, appIds: readonly number[]) =>
  tx.query(sql`
    insert into app_calls (dia, id, app_id, agencia_id, metodo, ruta, portal, estado, ms, codigo, problema, cuerpo)
    select call_day(at), first_ulid(at), app_id, case when ruta like '%{agencia}%' then agencia_id end, metodo, ruta, false, estado,
      2 + (nth * 37 % 90) / 10.0, codigo,
      case when codigo = 'requerido' then ${JSON.stringify(REFUSED)}::jsonb end, case when codigo = 'requerido' then ${REFUSED_BODY} end
    from unnest(${appIds}::int[]) as app (app_id)
    cross join generate_series(0, 719) as nth
    cross join lateral (select now() - nth * interval '2 minutes' - app_id * interval '7 milliseconds' as at) as moment
    cross join lateral (
      select * from (values
        (0, 'GET', '/v3/consultas/{agencia}', 200, null), (1, 'GET', '/v3/eventos', 200, null),
        (2, 'GET', '/v3/marcas', 304, null), (3, 'POST', '/v3/publicaciones/{agencia}', 201, null),
        (4, 'GET', '/v3/consultas/{agencia}?pagina=2', 200, null), (5, 'GET', '/v3/modelos/bestmatch?make=Fiat&model=Cronos', 200, null),
        (6, 'GET', '/v3/eventos', 304, null), (7, 'GET', '/v3/agencias', 200, null),
        (8, 'POST', '/v3/publicaciones/{agencia}', 400, 'requerido')
      ) as sample (n, metodo, ruta, estado, codigo) where n = (nth + app_id) % 9
    ) as sample
    cross join lateral (
      select min(agencia_id) as agencia_id from asociaciones s where s.app_id = app.app_id and ended_at is null
    ) as agencia`)
