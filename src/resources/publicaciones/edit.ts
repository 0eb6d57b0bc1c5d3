import type { App } from '../../apps/app.ts'
import { etagOf, namesEtagStrongly } from '../../http/etag.ts'
import { changedSinceRead, forbidden, invalid, notFound } from '../../http/problems.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import type { PublicacionEdit } from './create-schema.ts'
import type { PublicacionesDeps } from './deps.ts'
import { Faults } from './faults.ts'
import { MODERATED, NO_SUCH_PUBLICACION, noPlace, openAgencia, openRoom, readingOf, turnOf } from './opening.ts'
import type { Publicacion } from './publicacion.ts'
import { readDetails } from './reading.ts'
import { publicacionEntry, publicacionRef } from './represent.ts'
import { lockPublicacion } from './store.ts'
import { isModerated, stand } from './visibility.ts'
import { changesOf, updatePublicacion } from './write.ts'

export interface Edited {
  agencia: AgenciaOfApp
  publicacion: Publicacion
}

/** An app says anew what it offers; one that changes nothing writes nothing. In order: 404, 403, 412, meaning. */
export async function edit(
  deps: PublicacionesDeps,
  app: App,
  { adminMail, externalid }: { adminMail: string; externalid: string },
  body: PublicacionEdit,
  ifMatch?: string,
): Promise<Edited> {
  return deps.store.withLock(turnOf(app.modo, adminMail), async (tx) => {
    const agencia = await openAgencia(tx, app, adminMail)
    const room = await openRoom(tx, agencia.id, deps)
    const current = await lockPublicacion(tx, app, agencia.id, externalid)
    if (!current) throw notFound(NO_SUCH_PUBLICACION)
    if (body.Activa && isModerated(current)) throw forbidden(MODERATED)
    if (ifMatch !== undefined && !isCurrent(ifMatch, current, agencia, deps.config.timeZone)) throw changedSinceRead()

    const faults = new Faults()
    const details = readDetails(readingOf(deps, agencia), body, faults, current)
    if (faults.any) throw faults.toProblem()
    const pedida = body.Exposicion ?? null
    const visibility = stand(current, { activa: body.Activa, exposicion: pedida }, room)
    if ('refused' in visibility) throw invalid(noPlace(pedida))
    const columns = changesOf(current, details, visibility)
    if (columns.length === 0) return { agencia, publicacion: current }
    const changed = await updatePublicacion(tx, { current, details, visibility, columns })
    return { agencia, publicacion: changed ?? current }
  })
}

/** Any form of it that the client may have read will do. */
function isCurrent(ifMatch: string, row: Publicacion, { adminMail }: AgenciaOfApp, timeZone: string): boolean {
  const forms = [publicacionEntry(row, adminMail, timeZone), publicacionRef(row, adminMail)]
  return forms.some((form) => namesEtagStrongly(ifMatch, etagOf(JSON.stringify(form))))
}
