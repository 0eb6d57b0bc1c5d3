import pino from 'pino'
import { liveSecrets } from '../apps/secrets.ts'
import { findApp, listApps } from '../apps/store.ts'
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

export interface Credentials {
  appKey: string
  secret: string
}

/** The credentials of an app in this store, by default the newest. */
export const credentialsOfOwnApp = (config: Config, appKey: string | undefined): Promise<Credentials> =>
  withStore(config, async ({ store, seal }) => {
    const app = appKey ? await findApp(store, appKey) : (await listApps(store)).findLast(({ disabled }) => !disabled)
    const [newest] = app ? await liveSecrets(store, seal, app.id) : []
    if (!app || !newest)
      throw new Error('there is no app to sign with. Create one: npx rodado app create --nombre NAME')
    return { appKey: app.appKey, secret: newest.secret }
  })
