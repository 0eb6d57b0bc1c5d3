import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadCatalogue } from '../src/catalogue/load.ts'
import { openClient } from './database.ts'
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

/** What whoever writes it the usual way would index beside what our statements need. */
const INDEXES = {
  consultas: 'create index usual_consultas on consultas (agencia_id, sid)',
  deliveries: 'create index usual_deliveries on deliveries (estado, due_at)',
}

/** Has that table's index of the usual way for as long as something is measured; whoever else writes would pay for it. */
export async function withUsualIndex<T>(
  { connection }: Pick<Installation, 'connection'>,
  table: keyof typeof INDEXES,
  work: () => Promise<T>,
): Promise<T> {
  const tell = async (statement: string) => {
    const client = await openClient(connection)
    await client.query(statement).finally(() => client.end())
  }
  await tell(INDEXES[table])
  return work().finally(() => tell(`drop index usual_${table}`))
}
