import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isTerminal } from '@rodado/cli'
import type { Config } from '../config.ts'

const pathIn = (dataDir: string) => join(dataDir, 'first-staff-link')

/**
 * Shows the link that creates the first staff account. It gives control of the marketplace: without a terminal the
 * output may be a log, so it is written to a file for its owner alone, which goes at the first start with a staff.
 */
export async function showFirstStaffLink(config: Config, link: string | undefined, err: NodeJS.WritableStream) {
  if (config.role === 'worker') return // does not look whether there is a staff
  const path = pathIn(config.dataDir)
  if (!link) return rm(path, { force: true }).catch(() => undefined)
  if (isTerminal(err))
    return void err.write(`\n  ${NO_STAFF} Create the first one here (link works once, for 24 hours):\n\n  ${link}\n\n`)
  const failed = await writePrivately(path, link).catch((error: NodeJS.ErrnoException) => error.code ?? error.message)
  err.write(
    failed
      ? `rodado: ${NO_STAFF} Its link could not be written to ${path} (${failed}). Run: rodado user create --email MAIL\n`
      : `rodado: ${NO_STAFF} The link to create it is in ${path} (works once, for 24 hours).\n`,
  )
}

const NO_STAFF = 'There is no staff account yet.'

/** Never into an existing file, which others might read. */
async function writePrivately(path: string, text: string): Promise<undefined> {
  await mkdir(join(path, '..'), { recursive: true })
  const draft = `${path}.${process.pid}`
  await rm(draft, { force: true })
  await writeFile(draft, `${text}\n`, { mode: 0o600, flag: 'wx' })
  await rename(draft, path)
}
