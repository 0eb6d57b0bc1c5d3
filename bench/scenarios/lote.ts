import { randomUUID } from 'node:crypto'
import { request } from 'undici'
import { loadCatalogue } from '../../src/catalogue/load.ts'
import { lazy } from '../../src/memoize.ts'
import { type Served, startServers } from '../http.ts'
import { bearer, type Installation } from '../installation.ts'
import { CPU, measure, runRounds } from '../rounds.ts'
import { type Bench, installationsOf, type Scenario } from '../scenario.ts'
import { withProcesses } from '../server-process.ts'

const BATCH = 500
const BATCHES = 10

export const lote = scenario('lote', 'Upload of new listings, 500 at a time, for each row', false)
export const loteChanged = scenario('lote-changed', 'Upload of changed listings, 500 at a time, for each row', true)

/** Each entrant uploads the stock of a new dealer, over and over; with `changed`, the prices of a stock that is there. */
function scenario(name: string, title: string, changed: boolean): Scenario {
  const run = (bench: Bench) =>
    withProcesses(async (started) => {
      for (const { pinPostgres } of installationsOf(bench)) pinPostgres('server')
      const servers = await startServers(bench, started)
      const entrants = []
      for (const served of servers) entrants.push({ name: served.name, turn: await uploader(served, servers, changed) })
      const options = { turns: BATCHES, warmUp: { count: BATCH * BATCHES, leastMs: 1_500, mostMs: 8_000 } }
      return { name, title, ratioOf: CPU, contenders: await runRounds(bench, name, entrants, options) }
    }).finally(() => {
      for (const { pinPostgres } of installationsOf(bench)) pinPostgres('any')
    })
  return { name, title, run }
}

/** Uploads a batch at each call. After the last one of a stock it goes on with another dealer, or with other prices. */
async function uploader({ server, installation }: Served, servers: Served[], changed: boolean) {
  const ours = servers.find((served) => served.installation === installation && served.name === installation.name)
  const token = (await bearer(installation, (ours as Served).server.port))('', 0) // the usual server gives no tokens
  let mail = ''
  let [batch, pass] = [0, 0]
  const upload = async (rows: string) => {
    const answer = await request(`http://127.0.0.1:${server.port}/v3/publicaciones/${mail}/lote`, {
      method: 'POST',
      headers: { ...token, 'content-type': 'application/x-ndjson' },
      body: rows,
    })
    const { Resumen } = (await answer.body.json()) as { Resumen?: Record<string, number> }
    const written = changed && pass > 0 ? Resumen?.Modificadas : Resumen?.Creadas
    if (written !== BATCH) throw new Error(`${answer.statusCode}: ${written} of ${BATCH} rows written.`)
  }
  const begin = async () => {
    mail = await makeDealer(installation)
    if (!changed) return
    for (let at = 0; at < BATCHES; at++) await upload(rowsOf(at, 0))
    pass = 1
  }
  return async () => {
    if (mail === '' || (batch === BATCHES && !changed)) await begin()
    if (batch === BATCHES) [batch, pass] = [0, pass + (changed ? 1 : 0)]
    const rows = rowsOf(batch++, pass)
    return measure({ server: server.cpuMicros, postgres: installation.postgresMicros }, async () => {
      const cpu = process.cpuUsage()
      await upload(rows)
      const { user, system } = process.cpuUsage(cpu)
      return { count: BATCH, clientMicros: user + system }
    })
  }
}

/** An agency that may publish everything, and has nothing yet. */
async function makeDealer({ sql }: Installation): Promise<string> {
  const mail = `${randomUUID().slice(0, 8)}@agencias.example`
  await sql(
    `with made as (
       insert into agencias (modo, admin_mail, nombre) values ('produccion', $1, $1) returning id
     ), person as (
       insert into accounts (modo, email) values ('produccion', $1) returning id
     ), administrator as (
       insert into operadores (agencia_id, account_id, rol) select made.id, person.id, 'administrador' from made, person
     ), package as (
       insert into paquetes (agencia_id, nombre, desde, hasta, alta)
       select id, 'Todo', '2020-01-01', '2049-12-31', 1000000 from made)
     insert into asociaciones (app_id, agencia_id, editar) select (select min(id) from apps), id, true from made`,
    [mail],
  )
  return mail
}

const COLOURS = ['blanco', 'Negro', 'gris plata', 'Rojo', 'azul']
const DESCRIPTION =
  'Único dueño, service oficial al día, cubiertas nuevas. Se entrega con verificación y transferencia. ' +
  'Aceptamos permuta y financiamos en cuotas fijas. Consulte por otros colores y versiones. '

/** A batch of a large dealer's stock as its system exports it; in each pass every price is another. */
function rowsOf(batch: number, pass: number): string {
  const models = loadModels()
  return Array.from({ length: BATCH }, (_, nth) => {
    const at = batch * BATCH + nth
    const model = models[(at * 7) % models.length]
    const row = {
      ExternalId: `STOCK-${at}`,
      RefStock: `S-${at}`,
      Marca: at % 2 ? model?.marca.nombre.toUpperCase() : model?.marca.nombre,
      Modelo: model?.nombre,
      Version: `1.6 Full ${at % 40}`,
      VersionYear: 2012 + (at % 13),
      Kilometraje: 5_000 + ((at * 731) % 180_000),
      Color: COLOURS[at % COLOURS.length],
      Propulsion: at % 3 ? 'Nafta' : 'Diesel',
      Transmision: at % 4 ? 'Manual' : 'AT6',
      Precio: { Moneda: 'ARS', Importe: 9_000_000 + ((at * 977) % 30_000) * 1000 + pass },
      Descripcion: DESCRIPTION.repeat(1 + (at % 4)),
      Fotos: Array.from({ length: 8 }, (_, photo) => `https://fotos.example/stock/${at}/${photo}.jpg`),
    }
    return `${JSON.stringify(row)}\n`
  }).join('')
}

const loadModels = lazy(() => loadCatalogue('AR').modelos.filter(({ nuevo }) => nuevo))
