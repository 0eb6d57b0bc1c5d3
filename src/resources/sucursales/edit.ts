import { isDeepStrictEqual } from 'node:util'
import type { App } from '../../apps/app.ts'
import { etagOf, namesEtagStrongly } from '../../http/etag.ts'
import { changedSinceRead, type Errors, invalid, notFound } from '../../http/problems.ts'
import { bodyFaults } from '../../http/validate.ts'
import type { Db } from '../../store/db.ts'
import { normalizeLine } from '../../text.ts'
import type { Agencia, AgenciaOfApp } from '../agencias/agencia.ts'
import type { AgenciasDeps } from '../agencias/context.ts'
import { type Opener, openForEdit, tellEdit } from '../agencias/edit.ts'
import { isTelephone } from '../agencias/fields.ts'
import { askPlace, candidatos, isFault, type PlaceFault, readPlace } from '../agencias/place.ts'
import { findAgencia } from '../agencias/read.ts'
import { deleteSucursal, findSucursal, insertSucursal, listSucursales, updateSucursal } from './store.ts'
import { hoursFaults, type Sucursal, type SucursalData, SucursalUpsert, sucursalEntry, tidyHours } from './sucursal.ts'

const MOST_PLACES = 50
export const NO_SUCH_AGENCIA = 'No existe esa agencia para la app.'
export const NO_SUCH_SUCURSAL = 'No existe esa sucursal.'

export interface Kept<A extends Agencia = Agencia> {
  agencia: A
  sucursal: Sucursal
}

/** Adds a place to an agency that is in hand: an app's that may edit it (`byApp`), or its administrator's. */
export const add = <A extends Agencia>(deps: AgenciasDeps, open: Opener<A>, body: SucursalUpsert): Promise<Kept<A>> =>
  deps.store.transaction(async (tx) => {
    refuseForm(body)
    const edit = await open(tx)
    const data = read(deps, body)
    if ((await listSucursales(tx, edit.agencia.id)).length >= MOST_PLACES)
      throw invalid({ _: [`Una agencia puede tener hasta ${MOST_PLACES} sucursales.`] })
    const sucursal = await insertSucursal(tx, edit.agencia.id, data)
    await tellEdit(tx, deps, edit, [{ campo: 'Sucursal', antes: null, despues: inWords(data) }])
    return { agencia: edit.agencia, sucursal }
  })

/** Says anew what a place is; one that changes nothing tells nobody. In order: form, 404, 403, 412, meaning. */
export const edit = <A extends Agencia>(
  deps: AgenciasDeps,
  open: Opener<A>,
  id: number,
  body: SucursalUpsert,
  ifMatch?: string,
): Promise<Kept<A>> =>
  deps.store.transaction(async (tx) => {
    refuseForm(body)
    const edit = await open(tx)
    const { agencia } = edit
    const current = await mustFind(tx, agencia.id, id)
    const version = sucursalVersion(current, agencia.adminMail)
    if (ifMatch !== undefined && !namesEtagStrongly(ifMatch, version)) throw changedSinceRead()
    const sucursal = { id, ...read(deps, body, current) }
    if (isDeepStrictEqual(sucursal, current)) return { agencia, sucursal }
    await updateSucursal(tx, sucursal)
    await tellEdit(tx, deps, edit, [{ campo: 'Sucursal', ...formatBoth(current, sucursal) }])
    return { agencia, sucursal }
  })

export const remove = <A extends Agencia>(deps: AgenciasDeps, open: Opener<A>, id: number): Promise<void> =>
  deps.store.transaction(async (tx) => {
    const edit = await open(tx)
    const current = await mustFind(tx, edit.agencia.id, id)
    await deleteSucursal(tx, id)
    await tellEdit(tx, deps, edit, [{ campo: 'Sucursal', antes: inWords(current), despues: null }])
  })

/** An app's hand: 404 where the agency does not exist for it, 403 where it may not edit it. */
export const byApp =
  (app: App, adminMail: string): Opener<AgenciaOfApp> =>
  async (tx) => {
    if (!(await findAgencia(tx, app, adminMail))) throw notFound(NO_SUCH_AGENCIA)
    return openForEdit(tx, app, adminMail)
  }

/** The ETag of a place, as whoever may edit it reads it. */
export const sucursalVersion = (sucursal: Sucursal, adminMail: string): string =>
  etagOf(JSON.stringify(sucursalEntry(sucursal, adminMail, true)))

async function mustFind(tx: Db, agenciaId: number, id: number): Promise<Sucursal> {
  const found = await findSucursal(tx, agenciaId, id)
  if (!found) throw notFound(NO_SUCH_SUCURSAL)
  return found
}

const tidy = (text: string | null | undefined): string | null => (text && normalizeLine(text)) || null

/** Faults of form that a schema cannot say. */
function formFaults({ Nombre, Telefono, Horarios }: SucursalUpsert): Errors {
  return {
    ...(!tidy(Nombre) && { Nombre: ['No puede estar vacío.'] }),
    ...(Telefono && !isTelephone(Telefono) && { Telefono: ['Debe ser un número de teléfono.'] }),
    ...(Horarios && hoursFaults(tidyHours(Horarios))),
  }
}

function refuseForm(body: SucursalUpsert): void {
  const errors = formFaults(body)
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** Every fault at once, for a person who can be asked: a region that contradicts a certain city is one of them. */
export function faultsOfSucursal({ matcher }: AgenciasDeps, body: SucursalUpsert, current?: Sucursal): PlaceFault {
  const place = isSamePlace(body, current) ? undefined : askPlace(matcher, body)
  const asked = place && isFault(place) ? place : undefined
  const errors = { ...asked?.errors, ...formFaults(body), ...bodyFaults(SucursalUpsert, body) }
  return { errors, candidates: asked?.candidates ?? [] }
}

const isSamePlace = (body: SucursalUpsert, current?: Sucursal): boolean =>
  current !== undefined && tidy(body.Region) === current.region && tidy(body.Ciudad) === current.ciudad

/** What a body says; a place sent back as it was read is the same place. */
function read({ matcher }: AgenciasDeps, body: SucursalUpsert, current?: Sucursal): SucursalData {
  const kept = isSamePlace(body, current) ? current : undefined
  const { regionId, region, ciudadId, ciudad } = kept ?? placeOf(readPlace(matcher, body))
  return {
    nombre: normalizeLine(body.Nombre),
    telefono: tidy(body.Telefono),
    whatsapp: tidy(body.WhatsApp),
    email: tidy(body.Email)?.toLowerCase() ?? null,
    ...{ regionId, region, ciudadId, ciudad },
    direccion: tidy(body.Direccion),
    codigoPostal: tidy(body.CodigoPostal),
    horarios: body.Horarios ? tidyHours(body.Horarios) : null,
  }
}

function placeOf(place: ReturnType<typeof readPlace>): Exclude<typeof place, PlaceFault> {
  if (isFault(place)) throw invalid(place.errors, candidatos(place))
  return place
}

/** In a line, for the letter and the history. */
const inWords = ({ nombre, direccion, ciudad, telefono }: SucursalData): string =>
  [nombre, direccion, ciudad, telefono].filter(Boolean).join(', ')

/** Before and after, with what else changed named where the line alone would look the same. */
function formatBoth(before: SucursalData, after: SucursalData): { antes: string; despues: string } {
  const [antes, despues] = [inWords(before), inWords(after)]
  if (antes !== despues) return { antes, despues }
  const hours = !isDeepStrictEqual(before.horarios, after.horarios)
  return { antes, despues: `${despues} (${hours ? 'otros horarios' : 'otros datos'})` }
}
