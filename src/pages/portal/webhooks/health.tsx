import { estadoOf, type SaludEstado } from '../../../resources/appnotificaciones/represent.ts'
import type { Webhook } from '../../../webhooks/subscriptions.ts'
import { Moment, type When } from '../../moment.tsx'

const WORDS: Record<SaludEstado, { words: string; tone: string }> = {
  'sin-entregas': { words: 'sin entregas', tone: 'status-3' },
  bien: { words: 'bien', tone: 'status-2' },
  fallando: { words: 'fallando', tone: 'status-5' },
  deshabilitado: { words: 'deshabilitado', tone: 'status-5' },
}

/** How a webhook does, as the API tells it; one that its app switched off is neither well nor ill. */
export function HealthBadge({ webhook }: { webhook: Webhook }) {
  if (!webhook.activo && webhook.disabledAt === null) return <span class="badge warning">suspendido</span>
  const { words, tone } = WORDS[estadoOf(webhook)]
  return <span class={`badge ${tone}`}>{words}</span>
}

/** When it last received something, and what ails it. */
export const HealthFacts = ({
  webhook: { lastDeliveryAt, failures, lastError },
  when,
}: {
  webhook: Webhook
  when: When
}) => (
  <>
    <span>
      {lastDeliveryAt ? (
        <>
          Última entrega: <Moment at={lastDeliveryAt} when={when} />
        </>
      ) : (
        'Todavía no recibió nada'
      )}
    </span>
    {failures > 0 && (
      <span class="fault">
        {failures === 1 ? 'Una falla' : `${failures} fallas seguidas`}: {lastError}
      </span>
    )}
  </>
)
