import { isDeepStrictEqual } from 'node:util'
import type { App } from '../../apps/app.ts'
import { etagOf, requireCurrent } from '../../http/encoded-body.ts'
import { type FaultMap, fault, invalid, notFound, refuse, textsOf } from '../../http/problems.ts'
import { bodyFaults } from '../../http/validate.ts'
import { message, t } from '../../i18n/messages.tsx'
import { isTelephone } from '../../phone.ts'
import type { Db } from '../../store/db.ts'
import { lineOrNull, normalizeLine } from '../../text.ts'
import type { Agencia, AgenciaOfApp } from '../agencias/agencia.ts'
import type { AgenciasDeps } from '../agencias/context.ts'
import { type LockForEdit, lockByApp, recordEdit } from '../agencias/edit.ts'
import { confirmPlace, isFault, type PlaceErrors, requirePlace } from '../agencias/place.ts'
import { requireAgencia } from '../agencias/read.ts'
import { deleteSucursal, findSucursal, insertSucursal, listSucursales, updateSucursal } from './store.ts'
import {
  hoursFaults,
  normalizeHours,
  type Sucursal,
  type SucursalData,
  SucursalUpsert,
  sucursalEntry,
} from './sucursal.ts'

const MAX_SUCURSALES = 50
export const NO_SUCH_SUCURSAL = message('problema.noBranch')

export interface StoredSucursal<A extends Agencia = Agencia> {
  agencia: A
  sucursal: Sucursal
}

/** Adds a branch to an agency, which an app (`byApp`) or its administrator locks. */
export const add = <A extends Agencia>(deps: AgenciasDeps, lock: LockForEdit<A>, body: SucursalUpsert) =>
  deps.store.transaction(async (tx) => {
    refuse(formFaults(body))
    const edit = await lock(tx)
    const data = read(deps, body)
    if ((await listSucursales(tx, edit.agencia.id)).length >= MAX_SUCURSALES)
      throw invalid({
        _: [fault('limite-de-sucursales', t('problema.fault.branches', { max: MAX_SUCURSALES }))],
      })
    const sucursal = await insertSucursal(tx, edit.agencia.id, data)
    await recordEdit(tx, deps, edit, [{ campo: 'Sucursal', antes: null, despues: summaryOf(data) }])
    return { agencia: edit.agencia, sucursal }
  })

/** Replaces a branch; notifies nobody if nothing changes. Refusals in this order: form, 404, 403, 412, meaning. */
export const edit = <A extends Agencia>(
  deps: AgenciasDeps,
  lock: LockForEdit<A>,
  id: number,
  body: SucursalUpsert,
  ifMatch?: string,
): Promise<StoredSucursal<A>> =>
  deps.store.transaction(async (tx) => {
    refuse(formFaults(body))
    const edit = await lock(tx)
    const { agencia } = edit
    const current = await mustFind(tx, agencia.id, id)
    requireCurrent(ifMatch, () => [sucursalEntry(current, agencia.adminMail, true)])
    const sucursal = { id, ...read(deps, body, current) }
    if (isDeepStrictEqual(sucursal, current)) return { agencia, sucursal }
    await updateSucursal(tx, sucursal)
    await recordEdit(tx, deps, edit, [{ campo: 'Sucursal', ...formatChange(current, sucursal) }])
    return { agencia, sucursal }
  })

export const remove = <A extends Agencia>(deps: AgenciasDeps, lock: LockForEdit<A>, id: number): Promise<void> =>
  deps.store.transaction(async (tx) => {
    const edit = await lock(tx)
    const current = await mustFind(tx, edit.agencia.id, id)
    await deleteSucursal(tx, id)
    await recordEdit(tx, deps, edit, [{ campo: 'Sucursal', antes: summaryOf(current), despues: null }])
  })

/** Locks the agency for an app: 404 if it does not exist for it, 403 if it may not edit it. */
export const byApp =
  (app: App, adminMail: string): LockForEdit<AgenciaOfApp> =>
  async (tx) => {
    await requireAgencia(tx, app, adminMail)
    return lockByApp(tx, app, adminMail)
  }

/** The ETag of a branch for those who may edit it. */
export const sucursalVersion = (sucursal: Sucursal, adminMail: string): string =>
  etagOf(JSON.stringify(sucursalEntry(sucursal, adminMail, true)))

async function mustFind(tx: Db, agenciaId: number, id: number): Promise<Sucursal> {
  const found = await findSucursal(tx, agenciaId, id)
  if (!found) throw notFound(NO_SUCH_SUCURSAL)
  return found
}

/** Faults of form that a schema cannot express. */
function formFaults({ Nombre, Telefono, Horarios }: SucursalUpsert): FaultMap {
  return {
    ...(!lineOrNull(Nombre) && { Nombre: [fault('vacio', t('comun.fault.empty'))] }),
    ...(Telefono && !isTelephone(Telefono) && { Telefono: [fault('formato', t('comun.fault.telephone'))] }),
    ...(Horarios && hoursFaults(normalizeHours(Horarios))),
  }
}

/** All faults, for a page. Unlike the API, it refuses a city outside the chosen region. */
export function faultsOfSucursal({ matcher }: AgenciasDeps, body: SucursalUpsert, current?: Sucursal): PlaceErrors {
  const place = confirmPlace(matcher, body, current)
  const found = isFault(place) ? place : undefined
  const errors = { ...found?.errors, ...formFaults(body), ...bodyFaults(SucursalUpsert, body) }
  return { errors: textsOf(errors), candidates: found?.candidates ?? [] }
}

function read({ matcher }: AgenciasDeps, body: SucursalUpsert, current?: Sucursal): SucursalData {
  return {
    nombre: normalizeLine(body.Nombre),
    telefono: lineOrNull(body.Telefono),
    whatsapp: lineOrNull(body.WhatsApp),
    email: lineOrNull(body.Email)?.toLowerCase() ?? null,
    ...requirePlace(matcher, body, current),
    direccion: lineOrNull(body.Direccion),
    codigoPostal: lineOrNull(body.CodigoPostal),
    horarios: body.Horarios ? normalizeHours(body.Horarios) : null,
  }
}

/** For the email and the history. */
const summaryOf = ({ nombre, direccion, ciudad, telefono }: SucursalData): string =>
  [nombre, direccion, ciudad, telefono].filter(Boolean).join(', ')

/** Both summaries; if they are equal, the second names what else changed. */
function formatChange(before: SucursalData, after: SucursalData): { antes: string; despues: string } {
  const antes = summaryOf(before)
  const despues = summaryOf(after)
  if (antes !== despues) return { antes, despues }
  const hours = !isDeepStrictEqual(before.horarios, after.horarios)
  return { antes, despues: `${despues} (${hours ? 'otros horarios' : 'otros datos'})` }
}
