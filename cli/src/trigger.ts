import { setTimeout as pause } from 'node:timers/promises'
import { type Client, type EntregaDetalle, ProblemError } from '@rodado/client'
import { defineCommand, PARTNER_OPTIONS, withClient } from './partner.ts'
import { type Style, table } from './terminal.ts'
import { readTopic } from './topics.ts'

const LOOK_MS = 200
const TIMEOUT_MS = 20_000 // a receiver has 15 s to respond

/** Sends a sample event through the normal delivery, and shows the result. */
export const run = defineCommand('TOPIC', PARTNER_OPTIONS, async (values, { config, err, style }, name) => {
  const topic = readTopic(name)
  const delivery = await withClient(config, values, async (client) => {
    const { Id: id } = await client.probarWebhook({ topic }).catch(explain(topic))
    if (!values.json) err.write(`Sent ${topic} ${id}; waiting for your receiver…\n`)
    return settled(client, topic, id)
  })
  return { json: delivery, text: describe(delivery, style), code: delivery.Estado === 'entregada' ? 0 : 1 }
})

/** The delivery after its first attempt: retries may take hours. */
async function settled(client: Client, topic: string, id: string): Promise<EntregaDetalle> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const delivery = await client.verEntrega({ topic, id })
    if (delivery.Estado !== 'pendiente' || Date.now() > deadline) return delivery
    // The server reads the delivery before its attempts: the next attempt may be from before this one.
    if (delivery.Intentos.length > 0) return client.verEntrega({ topic, id })
    await pause(LOOK_MS)
  }
}

function describe({ Estado, Intentos, ProximoIntento, _links }: EntregaDetalle, style: Style): string {
  if (Intentos.length === 0) return 'Not tried yet: does a worker run (ROLE all or worker)?\n'
  const rows = Intentos.map(({ Momento, DuracionMs, Status, Error: fault }) => [
    Momento,
    String(Status ?? '—'),
    `${DuracionMs} ms`,
    fault ?? '',
  ])
  const attempts = table([['moment', 'status', 'took', 'error'], ...rows], style)
  if (Estado === 'entregada') return `${attempts}${style('green', 'Delivered.')}\n`
  const next = ProximoIntento ? `; next attempt at ${ProximoIntento}` : ''
  return `${attempts}${style('red', 'Not delivered')}${next}. More: ${_links.self?.href}\n`
}

const explain = (topic: string) => (error: unknown) => {
  if (error instanceof ProblemError && error.status === 404)
    throw new Error(
      `the app has no webhook for ${topic}. Configure one: rodado call POST /v3/appnotificaciones/${topic} --body '{"Callback":"https://…"}', or rodado listen --topic ${topic}`,
    )
  throw error
}
