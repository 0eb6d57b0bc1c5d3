import { type Client, type EntregaDetalle, ProblemError } from '@rodado/client'

/** What a status or error of a receiver means, and what its developer should do. */
const ADVICE: [matches: (status: number | null, error: string) => boolean, advice: string][] = [
  [
    (status) => status === 401 || status === 403,
    'The receiver refused the signature. Verify the bytes as received, with the Secret of this webhook (or its SecretEstandar for Standard Webhooks libraries), and allow 5 minutes of clock difference.',
  ],
  [
    (status) => status === 404 || status === 405,
    'Nothing takes a POST at that address: check the Callback and its path.',
  ],
  [
    (status) => status === 410,
    '410 tells the marketplace to stop: the webhook is disabled. Enable it with a PUT and Activo true.',
  ],
  [(status) => status === 413, 'The receiver or its proxy limits the body too much: allow at least 1 MiB.'],
  [
    (status) => status === 429,
    'The receiver is at its limit: answer 429 with Retry-After, or put events in a queue first.',
  ],
  [
    (status) => status !== null && status >= 300 && status < 400,
    'Redirects are not followed: configure the final address.',
  ],
  [
    (status) => status !== null && status >= 500,
    'The receiver’s own program failed: its log at that moment has the reason.',
  ],
  [(status) => status !== null && status >= 400, 'The receiver refused the request: its response says why.'],
  [
    (_status, error) => /15 s/.test(error),
    'The receiver took too long: answer 2xx at once and work afterwards; the limit is 15 seconds.',
  ],
  [
    (_status, error) => /certificado|TLS/i.test(error),
    'The receiver’s certificate or TLS is wrong: use one of a public authority, with its intermediate certificate.',
  ],
  [
    (_status, error) => /dirección pública/.test(error),
    'The address is not public: check its name, or without a public address use rodado events --follow --forward-to URL.',
  ],
  [() => true, 'The receiver could not be reached: is it running, and open to the internet?'],
]

/** The delivery in short, the webhook’s health, what happened and what to do. */
export async function explainDelivery(client: Client, { topic, id }: { topic: string; id: string }) {
  const delivery = await client.verEntrega({ topic, id })
  const webhook = await client.verWebhook({ topic }).catch((error) => {
    if (error instanceof ProblemError && error.status === 404) return undefined
    throw error
  })
  const { Evento, Estado, Intentos, ProximoIntento } = delivery
  return {
    Id: delivery.Id,
    Evento,
    Topic: delivery.Topic,
    Agencia: delivery.Agencia,
    Estado,
    Intentos,
    ProximoIntento,
    webhook: webhook ? { Callback: webhook.Callback, Activo: webhook.Activo, Salud: webhook.Salud } : null,
    explanation: explanationOf(delivery),
    whatToDo: [
      ...(Estado === 'entregada' ? [] : adviceOn(delivery)),
      ...(webhook ? [] : ['The webhook does not exist any more: configure it again.']),
      ...(webhook && !webhook.Activo ? ['The webhook is not active: enable it with a PUT and Activo true.'] : []),
      ...(Estado === 'fallida' || Estado === 'descartada'
        ? [`Once the cause is gone, send it again: resend_entregas with evento=${Evento} (needs --escribir).`]
        : []),
    ],
  }
}

function explanationOf({ Estado, Intentos, ProximoIntento }: EntregaDetalle): string {
  const last = Intentos.at(-1)
  const cause = last ? (last.Error ?? `the receiver answered ${last.Status}`) : ''
  if (Estado === 'entregada') return `Delivered at attempt ${Intentos.length}.`
  if (!last) return Estado === 'pendiente' ? 'Not tried yet.' : 'Not tried: the webhook was off.'
  if (Estado === 'pendiente')
    return `${Intentos.length} attempts failed so far (${cause}); the next is at ${ProximoIntento}.`
  return `Given up after ${Intentos.length} attempts; the last failed at ${last.Momento}: ${cause}`
}

function adviceOn({ Intentos }: EntregaDetalle): string[] {
  const last = Intentos.at(-1)
  if (!last) return []
  const found = ADVICE.find(([matches]) => matches(last.Status, last.Error ?? ''))
  return found ? [found[1]] : []
}
