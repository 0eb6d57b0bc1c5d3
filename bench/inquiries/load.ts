import { statfs } from 'node:fs/promises'
import type pg from 'pg'
import { rebuildCounts } from '../../src/resources/consultas/counts.ts'
import { monthAt } from '../../src/resources/consultas/partitions.ts'
import { openStore } from '../../src/store/db.ts'
import { openClient } from '../database.ts'
import type { Installation } from '../installation.ts'
import { withoutIndexes } from '../without-indexes.ts'
import { copyIn } from './copy.ts'
import { COLUMNS, type Dealer, inquiries } from './rows.ts'

const DAY_MS = 86_400_000
const DAYS = 90
const BYTES_EACH = 2_500 // measured: 1,400 with indexes; the log and room to breathe besides
const PER_DEALER = 1_000
const FEWEST_DEALERS = 10
const TIME_ZONE = 'America/Argentina/Buenos_Aires'

/** Says what is missing where there is not enough room for so many. */
export async function roomFor(count: number, folder: string): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder)
  const [free, needed] = [bavail * bsize, count * BYTES_EACH]
  const gib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`
  return free < needed
    ? `${count.toLocaleString('en')} need ${gib(needed)} of disk; ${folder} has ${gib(free)}.`
    : undefined
}

/** Goes no further where there is not enough room for so many. */
export async function needRoomFor(count: number, folder: string): Promise<void> {
  const missing = await roomFor(count, folder)
  if (missing) throw new Error(missing)
}

/** Who is asked, the largest first, and on whose listings: the bench's own app, and another. */
export interface Settled {
  dealers: Dealer[]
  apps: [own: number, other: number]
}

/** Fills an installation with the agencies that so many inquiries go to. */
export async function settleDealers({ connection }: Installation, inquiries: number): Promise<Settled> {
  const client = await openClient(connection)
  try {
    const apps = await appsOf(client)
    return { apps, dealers: await makeDealers(client, Math.max(FEWEST_DEALERS, inquiries / PER_DEALER), apps) }
  } finally {
    await client.end()
  }
}

/** Fills an installation with that many inquiries in the last 90 days. */
export async function loadInquiries({ connection }: Installation, settled: Settled, count: number): Promise<void> {
  const client = await openClient(connection)
  try {
    const now = new Date()
    const from = new Date(now.getTime() - DAYS * DAY_MS)
    await makeMonths(client, from, now)
    const rows = inquiries({ count, ...settled, from, until: now })
    const statement = `copy consultas (${COLUMNS.join(', ')}) from stdin`
    await withoutIndexes(client, ['consultas'], () => copyIn(client, statement, rows))
    await countAll(connection)
    await client.query('vacuum analyze agencias, accounts, operadores, asociaciones, consulta_counts')
  } finally {
    await client.end()
  }
}

async function makeMonths(client: pg.Client, from: Date, now: Date): Promise<void> {
  for (let later = 0; monthAt(from, later).from <= monthAt(now).from; later++) {
    const { table, from: first, until } = monthAt(from, later)
    await client.query(
      `create table if not exists ${table} partition of consultas for values from ('${first}') to ('${until}')`,
    )
  }
}

/** The bench's own app, and another whose listings it sees. */
async function appsOf(client: pg.Client): Promise<[number, number]> {
  const { rows } = await client.query<{ id: number }>(`
    with other as (insert into apps (app_key, nombre, modo) values (repeat('0', 32), 'Otra', 'produccion') returning id)
    select id from apps union all select id from other`)
  return [rows[0]?.id ?? 0, rows[1]?.id ?? 0]
}

async function makeDealers(client: pg.Client, count: number, [app]: [number, number]): Promise<Dealer[]> {
  const mails = Array.from({ length: count }, (_, at) => `agencia${at + 1}@agencias.example`)
  const { rows } = await client.query<Dealer>({
    text: `
      with made as (
        insert into agencias (modo, admin_mail, nombre)
        select 'produccion', mail, 'Agencia ' || turn from unnest($1::text[]) with ordinality as given (mail, turn)
        returning id, admin_mail
      ), people as (
        insert into accounts (modo, email, nombre, apellido)
        select 'produccion', admin_mail, 'Ana', 'Paz' from made returning id, email
      ), work as (
        insert into operadores (agencia_id, account_id, rol)
        select made.id, people.id, 'administrador' from made join people on people.email = made.admin_mail
      ), shown as (
        insert into asociaciones (app_id, agencia_id, editar, consultas_de_catalogo, consultas_de_otros)
        select $2, id, true, true, true from made
      )
      select id, admin_mail as mail from made order by id`,
    values: [mails, app],
  })
  return rows
}

async function countAll(connection: pg.ClientConfig): Promise<void> {
  const store = openStore({ connection, max: 1 })
  try {
    await store.transaction((tx) => rebuildCounts(tx, TIME_ZONE))
  } finally {
    await store.close()
  }
}
