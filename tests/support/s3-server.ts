import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const PLACES = [process.env.VERSITYGW, 'versitygw']
export const SECRET = 'test-secret'
export const BUCKET = 'photos'

/** A real S3-compatible server that checks signatures, Versity's gateway: named by VERSITYGW, or in the PATH. */
const findS3 = (): string | undefined =>
  PLACES.find((path) => path && spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0)

/** Why a test is skipped, or false. */
export const missingS3 = (): string | false =>
  !findS3() &&
  'no S3 server at hand: go install github.com/versity/versitygw/cmd/versitygw@latest, and set VERSITYGW to it'

export interface S3Server {
  /** For PHOTOS_URL; the bucket exists. */
  url: string
  stop(): Promise<void>
}

export async function startS3(): Promise<S3Server> {
  const program = findS3()
  if (!program) throw new Error('There is no S3 server.')
  const folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'rodado-s3-'))
  await mkdir(join(folder, BUCKET))
  const port = await freePort()
  const options = ['--port', `127.0.0.1:${port}`, '--access', 'test-key', '--secret', SECRET, 'posix', folder]
  const child = spawn(program, options, { stdio: 'ignore' })
  await until(async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) !== undefined)
  return {
    url: `s3://test-key:${SECRET}@127.0.0.1:${port}/${BUCKET}?tls=no`,
    async stop() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
