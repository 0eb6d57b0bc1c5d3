import type { App } from '../../apps/app.ts'
import { notFound } from '../../http/problems.ts'
import type { PublicacionesDeps } from './deps.ts'
import { NO_SUCH_PUBLICACION, openAgencia, turnOf } from './opening.ts'
import { lockPublicacion } from './store.ts'
import { archivePublicaciones } from './write.ts'

/** An app ends a listing for good: its place is free, and so is its ExternalId. Of two at once, one ends it. */
export async function archive(
  { store }: PublicacionesDeps,
  app: App,
  { adminMail, externalid }: { adminMail: string; externalid: string },
): Promise<void> {
  await store.withLock(turnOf(app.modo, adminMail), async (tx) => {
    const agencia = await openAgencia(tx, app, adminMail)
    const current = await lockPublicacion(tx, app, agencia.id, externalid)
    if (!current) throw notFound(NO_SUCH_PUBLICACION)
    await archivePublicaciones(tx, [current.id])
  })
}
