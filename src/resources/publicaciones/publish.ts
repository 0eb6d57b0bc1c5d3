import type { App } from '../../apps/app.ts'
import { requireCurrent } from '../../http/encoded-body.ts'
import { conflict, fault, forbidden, invalid, notFound, type Problem } from '../../http/problems.ts'
import { message } from '../../i18n/messages.tsx'
import type { Db } from '../../store/db.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { requireLocked } from '../agencias/read.ts'
import { detailContext, readDetails } from './details.ts'
import { Faults } from './faults.ts'
import {
  isModerated,
  lockCapacity,
  lockKey,
  MODERATED,
  NO_SUCH_PUBLICACION,
  noCapacity,
  type PublicacionesDeps,
  resolveVisibility,
} from './paquete.ts'
import { type Publicacion, publicacionEntry, publicacionRef } from './publicacion.ts'
import { lockPublicacion } from './read.ts'
import type { PublicacionCreate, PublicacionEdit } from './schema.ts'
import { readVehicle } from './vehicle.ts'
import { archivePublicaciones, changesOf, insertPublicacion, updatePublicacion } from './write.ts'

export interface Published {
  agencia: AgenciaOfApp
  publicacion: Publicacion
}

export interface PublicacionPath {
  adminMail: string
  externalid: string
}

/** Publishes a car of an agency. Refusals in this order: 404, meaning, 409, and a full package last. */
export async function publish(deps: PublicacionesDeps, app: App, adminMail: string, body: PublicacionCreate) {
  return deps.store.withLock(lockKey(app.modo, adminMail), async (tx) => {
    const agencia = await requireLocked(tx, app, adminMail)
    const faults = new Faults()
    const vehicle = readVehicle(deps.matcher, body, faults)
    const details = readDetails(detailContext(deps, agencia), body, faults)
    if (faults.any) throw faults.toProblem()
    const capacity = await lockCapacity(tx, agencia.id, deps)
    const taken = await lockPublicacion(tx, app, agencia.id, body.ExternalId)
    if (taken) throw isTaken(taken, agencia)
    const exposicion = body.Exposicion ?? null
    const visibility = resolveVisibility(undefined, { activa: body.Activa, exposicion }, capacity)
    if ('refused' in visibility) throw invalid(noCapacity(exposicion))
    const data = { ...vehicle, ...details, ...visibility, externalId: body.ExternalId }
    const publicacion = await insertPublicacion(tx, { ...data, agenciaId: agencia.id, app })
    if (!publicacion) throw new Error('An ExternalId was taken while the package was locked.')
    return { agencia, publicacion }
  })
}

const isTaken = (publicacion: Publicacion, { adminMail }: AgenciaOfApp): Problem =>
  conflict(
    { ExternalId: [fault('external-id-en-uso', 'Ya hay una publicación vigente con este ExternalId.')] },
    message('problema.externalIdTaken'),
    {
      Publicacion: publicacionRef(publicacion, adminMail),
    },
  )

/** Replaces the details of a listing; writes nothing if nothing changes. Refusals in this order: 404, 403, 412, meaning. */
export async function edit(
  deps: PublicacionesDeps,
  app: App,
  { adminMail, externalid }: PublicacionPath,
  body: PublicacionEdit,
  ifMatch?: string,
): Promise<Published> {
  return deps.store.withLock(lockKey(app.modo, adminMail), async (tx) => {
    const agencia = await requireLocked(tx, app, adminMail)
    const capacity = await lockCapacity(tx, agencia.id, deps)
    const current = await requirePublicacion(tx, app, agencia, externalid)
    if (body.Activa && isModerated(current)) throw forbidden(MODERATED, 'publicacion-moderada')
    const rendering = { adminMail: agencia.adminMail, timeZone: deps.config.timeZone }
    requireCurrent(ifMatch, () => [publicacionEntry(current, rendering), publicacionRef(current, agencia.adminMail)])

    const faults = new Faults()
    const details = readDetails(detailContext(deps, agencia), body, faults, current)
    if (faults.any) throw faults.toProblem()
    const exposicion = body.Exposicion ?? null
    const visibility = resolveVisibility(current, { activa: body.Activa, exposicion }, capacity)
    if ('refused' in visibility) throw invalid(noCapacity(exposicion))
    const columns = changesOf(current, details, visibility)
    if (columns.length === 0) return { agencia, publicacion: current }
    const changed = await updatePublicacion(tx, { current, details, visibility, columns })
    return { agencia, publicacion: changed ?? current }
  })
}

/** Archives a listing for good: its place in the package and its ExternalId are free again. */
export async function archive({ store }: PublicacionesDeps, app: App, { adminMail, externalid }: PublicacionPath) {
  await store.withLock(lockKey(app.modo, adminMail), async (tx) => {
    const agencia = await requireLocked(tx, app, adminMail)
    const current = await requirePublicacion(tx, app, agencia, externalid)
    await archivePublicaciones(tx, [current.id])
  })
}

async function requirePublicacion(tx: Db, app: App, { id }: AgenciaOfApp, externalId: string): Promise<Publicacion> {
  const found = await lockPublicacion(tx, app, id, externalId)
  if (!found) throw notFound(NO_SUCH_PUBLICACION)
  return found
}
