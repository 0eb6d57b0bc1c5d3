import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadCatalogue } from '../src/catalogue/load.ts'
import type { Installation } from './installation.ts'
import { baseline, type ServerProcess, startServer } from './server-process.ts'

export const TIME_ZONE = 'America/Argentina/Buenos_Aires'
/** The key of the session cookies of the usual server. */
export const SESSION_KEY = randomBytes(32).toString('hex')

/** Writes the configuration of the usual server: the database, keys and catalogue of an installation. */
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
      ciudades: ciudades.map(({ id, nombre, aliases, region }) => ({ id, nombre, aliases, region: named(region) })),
      modelos: modelos.map(({ id, nombre, marca }) => ({ id, nombre, marcaId: marca.id })),
    },
  }
  const file = join(folder, 'usual.json')
  await writeFile(file, JSON.stringify(config))
  return file
}

const named = ({ id, nombre }: { id: number; nombre: string }) => ({ id, nombre })

/** Starts the usual server on the database of an installation. */
export const startUsual = async (installation: Installation): Promise<ServerProcess> =>
  startServer({
    args: [baseline('usual/server.js'), await usualConfig(installation), '{port}'],
    logFile: join(installation.folder, 'usual.log'),
  })

/** The indexes that the usual server would have. Ours has others, so they exist only while it is measured. */
const INDEXES = {
  consultas: 'create index usual_consultas on consultas (agencia_id, sid)',
  deliveries: 'create index usual_deliveries on deliveries (estado, due_at)',
}

export async function withUsualIndex<T>(
  { sql }: Installation,
  table: keyof typeof INDEXES,
  work: () => Promise<T>,
): Promise<T> {
  await sql(INDEXES[table])
  return work().finally(() => sql(`drop index usual_${table}`))
}
