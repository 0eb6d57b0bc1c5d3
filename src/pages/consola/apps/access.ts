import { listMembers, pendingMembers } from '../../../accounts/members.ts'
import { listSecrets } from '../../../apps/secrets.ts'
import { type AppAtWork, findAppAtWork } from '../../../apps/staff.ts'
import { usageOf } from '../../../apps/usage-store.ts'
import { notFound } from '../../../http/problems.ts'
import { listWebhooks } from '../../../webhooks/subscriptions.ts'
import type { PageDeps } from '../../signed-in.ts'
import type { AppView } from './one-page.tsx'
import { USAGE_DAYS } from './usage.tsx'

export type ByAppKey = { Params: { appKey: string } }

/** The apps as staff reaches them: any there is, by its AppKey. */
export function openApps({ store, seal, config }: PageDeps) {
  async function find(appKey: string): Promise<AppAtWork> {
    const app = await findAppAtWork(store, appKey.toLowerCase())
    if (!app) throw notFound('No hay una app con esa AppKey.')
    return app
  }

  async function view(appKey: string): Promise<AppView> {
    const app = await find(appKey)
    const { timeZone, ratePerSecond, rateBurst, invitesPerDay } = config
    const [secrets, usage, members, pending, webhooks] = await Promise.all([
      listSecrets(store, app.id),
      usageOf(store, { appId: app.id, step: 'day', count: USAGE_DAYS, timeZone }),
      listMembers(store, app.id),
      pendingMembers(store, app.id),
      listWebhooks(store, seal, app),
    ])
    return { app, secrets, usage, members, pending, webhooks, everyone: { ratePerSecond, rateBurst, invitesPerDay } }
  }

  return { find, view }
}
