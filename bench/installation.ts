import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { plainEnvironment } from './server-process.ts'

const RODADO = fileURLToPath(new URL('../bin/rodado.js', import.meta.url))

/** A Rodado of the bench's own, with its database and one app, that is gone afterwards. */
export interface Installation {
  folder: string
  dataDir: string
  /** As an operator would set it, but for the limits: the bench asks more of one app than any partner may. */
  environment: Record<string, string>
  app: { key: string; secret: string }
  remove(): Promise<void>
}

export async function install(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'rodado-bench-'))
  const dataDir = join(folder, 'data')
  const environment = { DATA_DIR: dataDir, RATE_PER_SECOND: '1000000', RATE_BURST: '10000000' }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [RODADO, 'app', 'create', '--nombre', 'Bench', '--json'],
    { env: { ...plainEnvironment(), ...environment } },
  )
  const { AppKey: key, AppSecret: secret } = JSON.parse(stdout) as { AppKey: string; AppSecret: string }
  return {
    folder,
    dataDir,
    environment,
    app: { key, secret },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
