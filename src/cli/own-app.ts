import { liveSecrets } from '../apps/secrets.ts'
import { findApp, listApps } from '../apps/store.ts'
import type { Config } from '../config.ts'
import type { Credentials } from './partner.ts'
import { withStore } from './with-store.ts'

/** The credentials of an app in this store, by default the newest. */
export const credentialsOfOwnApp = (config: Config, appKey: string | undefined): Promise<Credentials> =>
  withStore(config, async ({ store, seal }) => {
    const app = appKey ? await findApp(store, appKey) : (await listApps(store)).findLast(({ disabled }) => !disabled)
    const [newest] = app ? await liveSecrets(store, seal, app.id) : []
    if (!app || !newest)
      throw new Error('there is no app to sign with. Create one: npx rodado app create --nombre NAME')
    return { appKey: app.appKey, secret: newest.secret }
  })
