import type { App } from '../../../apps/app.ts'
import { withQuery } from '../../../http/links.ts'
import { isAvailable, type Webhook } from '../../../webhooks/subscriptions.ts'
import { Moment, type When } from '../../format.tsx'
import { type Column, Table } from '../../table.tsx'

interface Props {
  app: App
  webhooks: Webhook[]
  when: When
}

/** The app's webhooks and their state. */
export const Webhooks = ({ app, webhooks, when }: Props) => (
  <section id="webhooks">
    <h2>Webhooks</h2>
    <Table
      caption="Webhooks de la app"
      columns={columns(app, when)}
      rows={webhooks}
      keyOf={({ id }) => id}
      empty={<p>La app todavía no configuró ningún webhook: lo hace por la API o en su portal.</p>}
    />
  </section>
)

const columns = (app: App, when: When): Column<Webhook>[] => [
  {
    head: 'Topic',
    cell: ({ topic }) => <a href={withQuery('/consola/entregas', { app: app.appKey, topic })}>{topic}</a>,
  },
  {
    head: 'Estado',
    cell: (webhook) => <Health app={app} webhook={webhook} />,
  },
  {
    head: 'Dirección',
    // The query may hold a password of theirs.
    cell: ({ callback }) => <span class="anywhere">{callback.split('?')[0]}</span>,
  },
  {
    head: 'Última entrega',
    cell: ({ lastDeliveryAt }) => (lastDeliveryAt ? <Moment at={lastDeliveryAt} when={when} /> : 'ninguna'),
  },
  { head: 'Último error', cell: ({ lastError }) => lastError ?? '—' },
]

function Health({
  app,
  webhook: { topic, activo, disabledAt, failures, lastDeliveryAt },
}: {
  app: App
  webhook: Webhook
}) {
  if (!isAvailable(app, topic)) return <span class="badge warning">sin permiso</span>
  if (disabledAt) return <span class="badge status-5">deshabilitado</span>
  if (!activo) return <span class="badge warning">suspendido</span>
  if (failures > 0) return <span class="badge status-5">falla {failures === 1 ? '1 vez' : `${failures} seguidas`}</span>
  return lastDeliveryAt ? <span class="badge status-2">bien</span> : <span class="badge">sin entregas</span>
}
