import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { insertPublicaciones } from '../../src/resources/publicaciones/write.ts'
import { openStore } from '../../src/store/db.ts'
import type { Prepared } from '../client/connection.ts'
import { openClient } from '../database.ts'
import type { Installation } from '../installation.ts'
import type { Market } from '../market.ts'
import { inquiryBody } from './body.ts'
import type { Dealer } from './rows.ts'

const DEALERS = 50
const LISTINGS_EACH = 4
/** More than any side takes in a round: a key that comes again is answered from what is kept. */
const PEOPLE = 8_000
const TARGET = '/interno/v1/consultas'

/** Listings to ask about, of some agencies and all of one app; their numbers. */
export async function publishListings({ connection }: Installation, dealers: Dealer[], app: number): Promise<number[]> {
  const store = openStore({ connection, max: 1 })
  try {
    const some = dealers.slice(0, DEALERS).flatMap((dealer) => listingsOf(dealer, app))
    return (await insertPublicaciones(store, some)).map(({ id }) => id)
  } finally {
    await store.close()
  }
}

const listingsOf = ({ id, mail }: Dealer, appId: number) =>
  Array.from({ length: LISTINGS_EACH }, (_, at) => ({
    ...{ app: { id: appId, modo: 'produccion' as const }, agenciaId: id, operador: mail, externalId: `AB-${id}-${at}` },
    ...{ refStock: `S-${at}`, marcaId: 56, marca: 'Fiat', modeloId: null, modelo: 'Cronos', versionId: null },
    ...{ version: '1.3 Drive', versionYear: 2022, kilometraje: 38_000, colorId: null, color: 'Blanco' },
    ...{ carroceriaId: null, carroceria: 'Sedán', propulsion: 'nafta', transmision: 'manual' },
    ...{ precioMoneda: 'ARS', precioImporte: 18_500_000, descripcion: null, fotos: [] },
    ...{ regionId: null, region: null, ciudadId: null, ciudad: null },
  }))

const bodyOf = (aviso: number, who: string) =>
  inquiryBody(aviso, {
    Apellido: 'Ferreyra',
    Email: `lucia.${who}@correo.example`,
    Telefono: `+54 9 341 ${who.replace(/\D/g, '').slice(0, 7).padEnd(7, '0')}`,
    Provincia: 'Santa Fe',
    Ciudad: 'Rosario',
    Comentario: '¿Sigue disponible? Lo quiero ver el sábado a la mañana, si puede ser temprano.',
  })

/** Has the app listen, so that what it is told is put in the outbox too. */
export async function listen({ connection }: Installation, app: number): Promise<void> {
  await tell(connection, [
    `insert into webhooks (app_id, topic, callback) values (${app}, 'consulta.recibida', 'https://avisos.example/rodado')`,
  ])
}

/** Takes away what came with the inquiries, and nothing else: a server that is measured later would carry it, or read over it. */
export async function takeAway({ connection }: Installation, app: number): Promise<void> {
  await tell(connection, [
    ...['deliveries', 'events', 'webhooks'].map((table) => `delete from ${table} where app_id = ${app}`),
    'delete from mails where sid is not null',
    'truncate idempotency_keys',
    'vacuum analyze',
  ])
}

async function tell(connection: pg.ClientConfig, statements: string[]): Promise<void> {
  const client = await openClient(connection)
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** As many people as ask in a round, none of whom asked in the last. */
export function prepareInquiries({ avisos, sitioKey }: Market): Prepared[] {
  return Array.from({ length: PEOPLE }, (_, at) => {
    const body = Buffer.from(bodyOf(avisos[at % avisos.length] as number, randomUUID()))
    const head = [
      `POST ${TARGET} HTTP/1.1`,
      'host: 127.0.0.1',
      'accept: application/json',
      `authorization: Bearer ${sitioKey}`,
      `idempotency-key: ${randomUUID()}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
    ]
    return { bytes: `${head.join('\r\n')}\r\n\r\n${body.toString('latin1')}`, status: 201 }
  })
}

/** What the bare server needs: one inquiry as ours kept it, with its event, and how ours answered. */
export async function bareInsert({ connection, folder }: Installation, { sitioKey, avisos }: Market, port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}${TARGET}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sitioKey}`, 'content-type': 'application/json' },
    body: bodyOf(avisos[0] as number, randomUUID()),
  })
  if (answer.status !== 201) throw new Error(`POST ${TARGET} answered ${answer.status}: ${await answer.text()}`)
  const client = await openClient(connection)
  try {
    const consulta = (await client.query('select * from consultas order by sid desc limit 1')).rows[0]
    const event = (await client.query('select * from events where sid = $1', [consulta.sid])).rows[0]
    const delivery = (await client.query('select * from deliveries where id = $1', [event.id])).rows[0]
    const listings = await client.query(
      'select id, agencia_id as "agenciaId", operador from publicaciones where id = any ($1) order by id',
      [avisos],
    )
    const shown = { headers: [...answer.headers].flat(), body: await answer.text() }
    const file = join(folder, 'insert.json')
    await writeFile(
      file,
      JSON.stringify({ connection, consulta, event, delivery, listings: listings.rows, answer: shown }),
    )
    return { file, bodyBytes: Buffer.byteLength(shown.body) }
  } finally {
    await client.end()
  }
}
