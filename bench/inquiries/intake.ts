import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { insertPublicaciones } from '../../src/resources/publicaciones/write.ts'
import { openStore } from '../../src/store/db.ts'
import { startEmbedded } from '../../src/store/embedded/start.ts'
import type { Prepared } from '../client/connection.ts'
import type { Installation } from '../installation.ts'
import { plainEnvironment } from '../server-process.ts'
import { appsOf, makeDealers } from './load.ts'
import type { Dealer } from './rows.ts'

const RODADO = fileURLToPath(new URL('../../bin/rodado.js', import.meta.url))
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const DEALERS = 50
const LISTINGS_EACH = 4
const PEOPLE = 2_000
export const TARGET = '/interno/v1/consultas'

/** A market to ask about: who is asked, about which listings, and the key of the site that asks. */
export interface Market {
  avisos: number[]
  sitioKey: string
}

/** Fifty agencies with their listings, all of one app. */
export async function openMarket({ dataDir, environment }: Installation): Promise<Market> {
  const { stdout } = await promisify(execFile)(process.execPath, [RODADO, 'sitio', 'create', '--json'], {
    env: { ...plainEnvironment(), ...environment },
  })
  const { SitioKey: sitioKey } = JSON.parse(stdout) as { SitioKey: string }
  const embedded = await startEmbedded({ dataDir, log: quiet, purpose: 'command' })
  const client = new pg.Client(embedded.connection)
  await client.connect()
  const store = openStore({ connection: embedded.connection, max: 1 })
  try {
    const apps = await appsOf(client)
    const dealers = await makeDealers(client, DEALERS, apps)
    const listings = await insertPublicaciones(
      store,
      dealers.flatMap((dealer) => listingsOf(dealer, apps[0])),
    )
    await client.query('vacuum analyze')
    return { avisos: listings.map(({ id }) => id), sitioKey }
  } finally {
    await store.close()
    await client.end()
    await embedded.stop()
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
  JSON.stringify({
    Aviso: aviso,
    OrigenLead: 'form',
    Interesado: {
      Interes: 'compra',
      Nombre: 'Lucía',
      Apellido: 'Ferreyra',
      Email: `lucia.${who}@correo.example`,
      Telefono: `+54 9 341 ${who.replace(/\D/g, '').slice(0, 7).padEnd(7, '0')}`,
      Provincia: 'Santa Fe',
      Ciudad: 'Rosario',
      Comentario: '¿Sigue disponible? Lo quiero ver el sábado a la mañana, si puede ser temprano.',
    },
  })

/** As many people as ask in a round, none of whom asked in the last. */
export function prepareInquiries({ avisos, sitioKey }: Market): Prepared[] {
  return Array.from({ length: PEOPLE }, (_, at) => {
    const body = Buffer.from(bodyOf(avisos[at % avisos.length] as number, randomUUID()))
    const head = [
      `POST ${TARGET} HTTP/1.1`,
      'host: 127.0.0.1',
      'accept: application/json',
      `authorization: Bearer ${sitioKey}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
    ]
    return { bytes: `${head.join('\r\n')}\r\n\r\n${body.toString('latin1')}`, status: 201 }
  })
}

/** What the bare server needs: one inquiry as ours kept it, with its event, and how ours answered. */
export async function bareInsert({ dataDir, folder }: Installation, { sitioKey, avisos }: Market, port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}${TARGET}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sitioKey}`, 'content-type': 'application/json' },
    body: bodyOf(avisos[0] as number, randomUUID()),
  })
  if (answer.status !== 201) throw new Error(`POST ${TARGET} answered ${answer.status}: ${await answer.text()}`)
  const embedded = await startEmbedded({ dataDir, log: quiet, purpose: 'command' })
  const client = new pg.Client(embedded.connection)
  await client.connect()
  try {
    const consulta = (await client.query('select * from consultas order by sid desc limit 1')).rows[0]
    const event = (await client.query('select * from events where sid is not null limit 1')).rows[0]
    const listings = await client.query('select id, agencia_id as "agenciaId", operador from publicaciones order by id')
    const shown = { headers: [...answer.headers].flat(), body: await answer.text() }
    const file = join(folder, 'insert.json')
    const { connection } = embedded
    await writeFile(file, JSON.stringify({ connection, consulta, event, listings: listings.rows, answer: shown }))
    return { file, bodyBytes: Buffer.byteLength(shown.body) }
  } finally {
    await client.end()
    await embedded.stop()
  }
}
