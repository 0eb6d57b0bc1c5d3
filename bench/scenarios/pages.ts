import { createHmac } from 'node:crypto'
import { type DeliveryLog, loadDeliveryLog } from '../fixture.ts'
import { compareGets, type Served } from '../http.ts'
import type { Installation } from '../installation.ts'
import { installationsOf, type Scenario } from '../scenario.ts'
import { SESSION_KEY } from '../usual.ts'

const scenario = (
  name: string,
  title: string,
  who: 'staff' | 'developer',
  path: (installation: Installation) => string,
): Scenario => ({
  name,
  title,
  async run(bench) {
    const logs = new Map<Installation, DeliveryLog>()
    for (const installation of installationsOf(bench))
      logs.set(installation, await loadDeliveryLog(bench, installation))
    const credential = async ({ name: server, installation }: Served) => {
      const log = logs.get(installation) as DeliveryLog
      return { cookie: server === 'usual' ? usualCookie(log) : log.cookies[who] }
    }
    const paths = async (installation: Installation) => [path(installation)]
    return compareGets(bench, {
      name,
      title,
      paths,
      credential,
      headers: { accept: 'text/html' },
      usual: who === 'staff',
    })
  },
})

export const consolePage = scenario('console', 'Console: the delivery log', 'staff', () => '/consola/entregas')
export const portalPage = scenario(
  'portal',
  'Portal: the delivery log of an app',
  'developer',
  ({ app }) => `/portal/${app.key}/entregas`,
)

function usualCookie({ staff: { accountId, version } }: DeliveryLog): string {
  const mac = createHmac('sha256', SESSION_KEY).update(`${accountId}.${version}`).digest('base64url')
  return `sesion=${accountId}.${version}.${mac}`
}
