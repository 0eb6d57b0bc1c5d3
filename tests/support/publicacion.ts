import type { App } from '../../src/apps/app.ts'
import type { Agencia } from '../../src/resources/agencias/agencia.ts'
import type { Publicacion } from '../../src/resources/publicaciones/publicacion.ts'
import { insertPublicacion, type NewPublicacion } from '../../src/resources/publicaciones/write.ts'
import type { Db } from '../../src/store/db.ts'

let made = 0

/** A listing of the agency, published by the app. */
export async function makePublicacion(
  db: Db,
  app: Pick<App, 'id' | 'modo'>,
  agencia: Pick<Agencia, 'id' | 'adminMail'>,
  more: Partial<NewPublicacion> = {},
): Promise<Publicacion> {
  const publicacion = await insertPublicacion(db, { ...CRONOS, ...more, ...given(app, agencia, more) })
  if (!publicacion) throw new Error('That ExternalId is taken.')
  return publicacion
}

const given = (app: Pick<App, 'id' | 'modo'>, agencia: Pick<Agencia, 'id' | 'adminMail'>, more: object) => ({
  app,
  agenciaId: agencia.id,
  externalId: `EXT-${++made}`,
  operador: agencia.adminMail,
  ...more,
})

/** A valid car, to be changed by tests. */
const CRONOS: Omit<NewPublicacion, 'app' | 'agenciaId' | 'externalId' | 'operador'> = {
  refStock: 'S-881',
  marcaId: 56,
  marca: 'Fiat',
  modeloId: null,
  modelo: 'Cronos',
  versionId: null,
  version: '1.3 Drive',
  versionYear: 2022,
  kilometraje: 38_000,
  colorId: null,
  color: 'Blanco',
  carroceriaId: null,
  carroceria: 'Sedán',
  propulsion: 'Nafta',
  transmision: 'Manual',
  precioMoneda: 'ARS',
  precioImporte: 18_500_000,
  descripcion: 'Único dueño.',
  regionId: null,
  region: 'Buenos Aires',
  ciudadId: null,
  ciudad: 'Temperley',
  fotos: [],
}
