import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadCatalogue } from '../src/catalogue/load.ts'
import type { Installation } from './installation.ts'
import { type ServerProcess, startBaseline, USUAL } from './server-process.ts'

export const TIME_ZONE = 'America/Argentina/Buenos_Aires'
/** What the usual way signs its cookies with. */
export const SESSION_KEY = randomBytes(32).toString('hex')

/** What the usual way (baselines/usual) is told: the same database, keys and catalogue that ours has. */
export async function usualConfig({
  folder,
  connection,
  environment,
}: Pick<Installation, 'folder' | 'connection' | 'environment'>): Promise<string> {
  const { colores, marcas, regiones, ciudades, modelos } = loadCatalogue('AR')
  const config = {
    connection,
    masterKey: environment.MASTER_KEY,
    publicUrl: environment.PUBLIC_URL,
    ratePerSecond: Number(environment.RATE_PER_SECOND),
    timeZone: TIME_ZONE,
    sessionKey: SESSION_KEY,
    catalogue: {
      colores,
      marcas,
      regiones,
      ciudades: ciudades.map(({ id, nombre, aliases, region }) => ({ id, nombre, aliases, region: shortened(region) })),
      modelos: modelos.map(({ id, nombre, marca }) => ({ id, nombre, marcaId: marca.id })),
    },
  }
  const file = join(folder, 'usual.json')
  await writeFile(file, JSON.stringify(config))
  return file
}

const shortened = ({ id, nombre }: { id: number; nombre: string }) => ({ id, nombre })

export const startUsual = async (installation: Installation): Promise<ServerProcess> =>
  startBaseline(USUAL, await usualConfig(installation), join(installation.folder, 'usual.log'))
