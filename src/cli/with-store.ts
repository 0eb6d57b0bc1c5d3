import type { Credentials } from '@rodado/cli'
import pino from 'pino'
import { liveSecrets } from '../apps/secrets.ts'
import { findApp, listApps } from '../apps/store.ts'
import type { Config } from '../config.ts'
import type { Connection } from '../store/failover.ts'
import { explainDatabase, type Opened, openInstallation, reachDatabase } from '../store/open.ts'
import { keepFollowing } from '../store/sealed.ts'

export const NO_APP = 'there is no app with that AppKey. `rodado app list` shows them all.'

/** Opens the store for one command, while a server runs or not. */
export async function withStore<T>(config: Config, work: (opened: Opened) => Promise<T>): Promise<T> {
  const log = pino({ level: 'silent' })
  const opened = await openInstallation(config, 'command', log)
  const stopFollowing = keepFollowing(opened.store, opened.seal, log)
  try {
    return await work(opened)
  } finally {
    stopFollowing()
    await opened.close()
  }
}

/** Reaches the database for one command, whatever its contents, and past a pooler if DATABASE_DIRECT_URL is set. */
export async function withDatabase<T>(config: Config, work: (direct: Connection) => Promise<T>): Promise<T> {
  const { direct, close } = await reachDatabase(config, 'command', pino({ level: 'silent' }))
  try {
    return await work(direct).catch(explainDatabase(config, direct))
  } finally {
    await close()
  }
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
