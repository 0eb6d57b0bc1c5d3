import { findApp } from '../../src/apps/store.ts'
import { readConfig } from '../../src/config.ts'
import { setPaquete } from '../../src/resources/agencias/paquetes.ts'
import { createSitio } from '../../src/sitios/store.ts'
import { depsOf, makeAgencia } from '../../tests/support/agencia.ts'
import { callerFor } from '../../tests/support/caller.ts'
import { LARGE_PAQUETE } from '../../tests/support/listing.ts'
import { makePublicacion } from '../../tests/support/publicacion.ts'
import type { Cluster } from '../instances.ts'
import { consultaOf } from './consultas.ts'
import type { PoliteRequest } from './polite-client.ts'

const PUBLICACIONES = 50
/** Two sites use up a node's capacity (src/http/load-shedding.ts), each at most its share. With more, nobody gets a place. */
const FLOODING = 4
const TOPICS = ['consulta.recibida', 'agencia.registrada']
const SEARCH = '/v3/ciudades/bestmatch?state=Bs%20As&city=temperlei'

/** Listings, sites that flood, and well-behaved callers. */
interface Marketplace {
  publicaciones: number[]
  /** The keys of the flooding sites. */
  flooding: string[]
  /** A request of a partner that reads from memory and from the database in turn. */
  read(next: number): PoliteRequest
  /** An inquiry of another site. */
  sendConsulta(next: number): PoliteRequest
  /** A signed write, which must not be repeated: it sends a test event. */
  testEvent(): PoliteRequest
}

/** Creates an agency with listings, for an app with webhooks. */
export async function openMarketplace(
  { store, seal, server, app: mine }: Cluster,
  callback: string,
): Promise<Marketplace> {
  const caller = callerFor(server.url, mine.key, mine.secret)
  for (const topic of TOPICS) {
    const body = JSON.stringify({ Callback: callback })
    const { status, text } = await caller.call('POST', `/v3/appnotificaciones/${topic}`, { body })
    if (status !== 201) throw new Error(`The webhook was not made: ${status} ${text}`)
  }
  const app = await findApp(store, mine.key)
  if (!app) throw new Error('The app of the drill does not exist.')
  const { agencia } = await makeAgencia(depsOf({ store, seal, config: readConfig({}) }), app)
  await setPaquete(store, agencia.id, LARGE_PAQUETE)
  const publicaciones: number[] = []
  for (let made = 0; made < PUBLICACIONES; made++) publicaciones.push((await makePublicacion(store, app, agencia)).id)
  const flooding: string[] = []
  for (let made = 1; made <= FLOODING; made++)
    flooding.push((await createSitio(store, { nombre: `Flood ${made}`, modo: app.modo })).sitioKey)
  const other = await createSitio(store, { nombre: 'Other', modo: app.modo })
  const headers = { authorization: `Bearer ${other.sitioKey}`, 'content-type': 'application/json' }
  return {
    publicaciones,
    flooding,
    read(next) {
      const path = next % 2 === 0 ? SEARCH : `/v3/agencias/${agencia.adminMail}`
      return { method: 'GET', path, headers: caller.signed('GET', path) }
    },
    sendConsulta(next) {
      const body = consultaOf(publicaciones[next % publicaciones.length] as number, `otra${next}`)
      return { method: 'POST', path: '/interno/v1/consultas', headers, body }
    },
    testEvent() {
      const path = `/v3/appnotificaciones/${TOPICS[0]}/prueba`
      return { method: 'POST', path, headers: caller.signed('POST', path) }
    },
  }
}
