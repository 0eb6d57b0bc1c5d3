import { execFile } from 'node:child_process'
import type { Account } from './account.ts'

/** What PostgreSQL's programs see of our environment: nothing that could hold a secret or change their language. */
export const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** How to start a program as that user, from a folder that everybody can enter. */
export function as(account: Account) {
  return { cwd: '/', env: ENVIRONMENT, ...(account.foreign && { uid: account.uid, gid: account.gid }) }
}

/** Runs a short program as that user and gives what it printed; its complaints are the error's message. */
export function run(account: Account, program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, as(account), (error, stdout, stderr) => {
      if (error) reject(new Error(stderr.trim() || error.message, { cause: error }))
      else resolve(stdout.trim())
    })
  })
}
