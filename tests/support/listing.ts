import { type Paquete, setPaquete } from '../../src/resources/agencias/paquetes.ts'

import { depsOf, makeAgencia } from './agencia.ts'
import type { TestApp, TestServer } from './server.ts'

/** A valid body of POST /v3/publicaciones, to be changed by tests. */
export const LISTING = {
  ExternalId: 'AB-1023',
  RefStock: 'S-881',
  Marca: 'fiat',
  Modelo: 'Cronos',
  Version: '1.3 Drive',
  VersionYear: 2022,
  Kilometraje: 38_000,
  Color: 'blanco',
  Carroceria: 'sedan',
  Propulsion: 'nafta',
  Transmision: 'manual',
  Precio: { Moneda: 'ARS', Importe: 18_500_000 },
  Descripcion: 'Único dueño.\nService al día.',
  Fotos: ['https://fotos.example/1.jpg', 'https://fotos.example/2.jpg'],
  DatosTecnicosCustom: [{ Nombre: 'Airbags', Valor: '6' }],
}

/** A package that is large enough for any test. */
export const LARGE_PAQUETE: Paquete = {
  nombre: 'Plan de prueba',
  desde: '2020-01-01',
  hasta: '2049-12-31',
  alta: 1000,
  media: 1000,
  baja: 1000,
  consultasDeCatalogo: false,
}

/** An agency with a package, and functions to publish there as its app. */
export async function makeShop(server: TestServer, app: TestApp, contracted: Partial<Paquete> | null = {}) {
  const made = await makeAgencia(depsOf(server), app.app)
  const list = `/v3/publicaciones/${made.mail}`
  const contract = (more: Partial<Paquete>) => setPaquete(server.store, made.agencia.id, { ...LARGE_PAQUETE, ...more })
  if (contracted) await contract(contracted)
  return {
    ...made,
    list,
    contract,
    post: (body: object) => app.call('POST', list, { body: JSON.stringify({ ...LISTING, ...body }) }),
    put: (externalId: string, body: object, headers: Record<string, string> = {}) =>
      app.call('PUT', `${list}/${externalId}`, { body: JSON.stringify(body), headers }),
    get: (externalId = '', headers: Record<string, string> = {}) =>
      app.get(externalId ? `${list}/${externalId}` : list, headers),
    remove: (externalId: string) => app.call('DELETE', `${list}/${externalId}`),
    productos: async () => (await app.get(`/v3/agencias/${made.mail}/productos`)).json,
  }
}

export type Shop = Awaited<ReturnType<typeof makeShop>>
