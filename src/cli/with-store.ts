import pino from 'pino'
import type { Config } from '../config.ts'
import { type Opened, openInstallation } from '../store/open.ts'

/** Opens the store for one command, beside a running server or alone. */
export async function withStore<T>(config: Config, work: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = await openInstallation(config, 'command', pino({ level: 'silent' }))
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}
