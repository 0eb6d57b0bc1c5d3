import type { App } from '../../apps/app.ts'
import { conflict, invalid, type Problem } from '../../http/problems.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import type { PublicacionCreate } from './create-schema.ts'
import type { PublicacionesDeps } from './deps.ts'
import { Faults } from './faults.ts'
import { noPlace, openAgencia, openRoom, readingOf, turnOf } from './opening.ts'
import type { Publicacion } from './publicacion.ts'
import { readDetails } from './reading.ts'
import { publicacionRef } from './represent.ts'
import { lockPublicacion } from './store.ts'
import { readVehicle } from './vehicle.ts'
import { stand } from './visibility.ts'
import { insertPublicacion } from './write.ts'

/**
 * An app publishes a car of an agency. Refusals: existence, meaning, 409, and a full package last: a place is only
 * missing for what could be published.
 */
export async function publish(
  deps: PublicacionesDeps,
  app: App,
  adminMail: string,
  body: PublicacionCreate,
): Promise<{ agencia: AgenciaOfApp; publicacion: Publicacion }> {
  return deps.store.withLock(turnOf(app.modo, adminMail), async (tx) => {
    const agencia = await openAgencia(tx, app, adminMail)
    const faults = new Faults()
    const vehicle = readVehicle(deps.matcher, body, faults)
    const details = readDetails(readingOf(deps, agencia), body, faults)
    if (faults.any) throw faults.toProblem()

    const room = await openRoom(tx, agencia.id, deps)
    const taken = await lockPublicacion(tx, app, agencia.id, body.ExternalId)
    if (taken) throw isTaken(taken, agencia)
    const pedida = body.Exposicion ?? null
    const visibility = stand(undefined, { activa: body.Activa, exposicion: pedida }, room)
    if ('refused' in visibility) throw invalid(noPlace(pedida))
    const data = { ...vehicle, ...details, ...visibility, externalId: body.ExternalId }
    const publicacion = await insertPublicacion(tx, { ...data, agenciaId: agencia.id, app })
    if (!publicacion) throw new Error('An ExternalId was taken while the package was held.')
    return { agencia, publicacion }
  })
}

const isTaken = (publicacion: Publicacion, { adminMail }: AgenciaOfApp): Problem =>
  conflict({ ExternalId: ['Ya hay una publicación con este ExternalId.'] }, 'Edítela con PUT, o elimínela antes.', {
    Publicacion: publicacionRef(publicacion, adminMail),
  })
