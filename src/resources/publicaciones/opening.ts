import type { App, Modo } from '../../apps/app.ts'
import { dayOf } from '../../http/dates.ts'
import { type Errors, notFound } from '../../http/problems.ts'
import type { Db } from '../../store/db.ts'
import type { AgenciaOfApp } from '../agencias/agencia.ts'
import { lockPackage, type PackageToday } from '../agencias/packages.ts'
import { holdAgencia } from '../agencias/store.ts'
import type { PublicacionesDeps } from './deps.ts'
import type { Room } from './exposure.ts'
import type { Exposicion } from './publicacion.ts'
import type { Reading } from './reading.ts'

export const NO_SUCH_AGENCIA = 'No existe esa agencia para la app.'
export const NO_SUCH_PUBLICACION = 'No existe esa publicación para la app.'

/** What is done with an agency's listings waits for its package: one after another, so that no other agency waits too. */
export const turnOf = (modo: Modo, adminMail: string): string => `publicaciones ${modo} ${adminMail.toLowerCase()}`

/** The agency, associated with the app until the transaction ends. */
export async function openAgencia(tx: Db, app: App, adminMail: string): Promise<AgenciaOfApp> {
  const agencia = await holdAgencia(tx, app, adminMail)
  if (!agencia) throw notFound(NO_SUCH_AGENCIA)
  return agencia
}

/** What a body is read against. */
export const readingOf = ({ matcher, clock, config }: PublicacionesDeps, agencia: AgenciaOfApp): Reading => ({
  matcher,
  agencia,
  year: Number(dayOf(clock(), config.timeZone).slice(0, 4)),
})

/** What the package has place for; none outside its days. */
export const roomOf = ({ estado, alta, media, baja, usadas }: PackageToday): Room => {
  const current = estado === 'vigente'
  return {
    Alta: (current ? alta : 0) - usadas.Alta,
    Media: (current ? media : 0) - usadas.Media,
    Baja: (current ? baja : 0) - usadas.Baja,
  }
}

/** The same, for whoever is about to use a place of it. */
export const openRoom = async (tx: Db, agenciaId: number, { config }: Pick<PublicacionesDeps, 'config'>) =>
  roomOf(await lockPackage(tx, agenciaId, config.timeZone))

/** Why there is no place: a fault of the exposure where one was asked for. */
export const noPlace = (asked: Exposicion | null): Errors =>
  asked === null
    ? { _: ['El paquete de la agencia no tiene lugar: amplíelo, libere uno, o publique con Activa false.'] }
    : {
        Exposicion: [
          `El paquete de la agencia no tiene lugar de exposición ${asked}${asked === 'Baja' ? '' : ' ni menor'}.`,
        ],
      }

export const MODERATED =
  'La suspendió el mercado o la agencia: solo ellos la reactivan. Para editarla, envíe Activa false.'
