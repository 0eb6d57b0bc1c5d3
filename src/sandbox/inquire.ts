import type { App } from '../apps/app.ts'
import { invalid } from '../http/problems.ts'
import { NOWHERE } from '../mail/nowhere.ts'
import type { AgenciaOfApp } from '../resources/agencias/agencia.ts'
import { findAgencia, listAgencias } from '../resources/agencias/store.ts'
import { listedAuto } from '../resources/consultas/auto.ts'
import type { Received, Reception } from '../resources/consultas/receive.ts'
import { listPublicaciones } from '../resources/publicaciones/list.ts'
import type { Publicacion } from '../resources/publicaciones/publicacion.ts'
import { findPublicacion } from '../resources/publicaciones/store.ts'
import type { Db } from '../store/db.ts'
import { landOf } from './fiction/cars.ts'
import type { Chance } from './fiction/chance.ts'
import { ORIGINS, personAsking } from './fiction/person.ts'
import type { InquiriesWanted } from './schema.ts'

interface InquireNeeds {
  store: Db
  reception: Reception
  country: string
  chance: Chance
}

/** Has made-up people ask about an app's own cars, by the way that all inquiries come. */
export async function inquire(
  { store, reception, country, chance }: InquireNeeds,
  app: App,
  { AdminMail, ExternalId, Cantidad = 1 }: InquiriesWanted,
): Promise<Received[]> {
  const agencia = AdminMail ? await findAgencia(store, app, AdminMail) : chance.pick(await listAgencias(store, app))
  if (!agencia) throw invalid(AdminMail ? { AdminMail: [NOT_ITS_OWN] } : { _: [NO_AGENCY] })
  const listings = await listingsOf(store, app, agencia, ExternalId)
  const asked: Promise<Received>[] = []
  for (let nth = 0; nth < Cantidad; nth++) {
    const listing = chance.pick(listings)
    const OrigenLead = chance.weighted(ORIGINS)
    const person = personAsking(listedAuto(listing), OrigenLead, agencia, landOf(country), chance)
    const Interesado = { ...person, Email: person.Email.replace(/@.*/, `@${NOWHERE}`) || null }
    asked.push(reception.receive({ modo: app.modo, sitioId: null }, { Aviso: listing.id, OrigenLead, Interesado }))
  }
  return Promise.all(asked)
}

const NOT_ITS_OWN = 'No es una agencia asociada con la app.'
const NO_AGENCY = 'La app no tiene agencias asociadas: invite una, por ejemplo acepta1@prueba.example.'
const NO_LISTING = 'La app no tiene publicaciones en esa agencia: publique una primero.'

async function listingsOf(db: Db, app: App, agencia: AgenciaOfApp, externalId?: string): Promise<Publicacion[]> {
  if (externalId === undefined) {
    const { rows } = await listPublicaciones(db, app, agencia, { estado: 'Activa' })
    if (rows.length === 0) throw invalid({ AdminMail: [NO_LISTING] })
    return rows
  }
  const found = await findPublicacion(db, app, agencia.id, externalId)
  if (!found) throw invalid({ ExternalId: ['La app no tiene esa publicación en la agencia.'] })
  return [found]
}
