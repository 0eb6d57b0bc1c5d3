import { setTimeout as pause } from 'node:timers/promises'
import { type Client, type EntregaDetalle, ProblemError } from '@rodado/client'
import { isTopic } from '../webhooks/topics.ts'
import { defineCommand, UsageError } from './command.ts'
import { clientOf, PARTNER_OPTIONS } from './partner.ts'

const LOOK_MS = 200
const TIMEOUT_MS = 20_000 // a receiver has 15 s to respond

/** Sends a sample event through the normal delivery, and shows the result. */
export const run = defineCommand('TOPIC', PARTNER_OPTIONS, async (values, { config, err }, topic) => {
  if (!isTopic(topic)) throw new UsageError(`there is no topic ${topic}.`)
  const client = await clientOf(config, values)
  const { Id: id } = await client.probarWebhook({ topic }).catch(explain(topic))
  if (!values.json) err.write(`Sent ${topic} ${id}; waiting for your receiver…\n`)
  const delivery = await settled(client, topic, id)
  return { json: delivery, text: describe(delivery), code: delivery.Estado === 'entregada' ? 0 : 1 }
})

/** The delivery after its first attempt: retries may take hours. */
async function settled(client: Client, topic: string, id: string): Promise<EntregaDetalle> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const delivery = await client.verEntrega({ topic, id })
    if (delivery.Estado !== 'pendiente' || delivery.Intentos.length > 0 || Date.now() > deadline) return delivery
    await pause(LOOK_MS)
  }
}

function describe({ Estado, Intentos, ProximoIntento, _links }: EntregaDetalle): string {
  const attempts = Intentos.map(
    ({ Momento, DuracionMs, Status, Error: fault }) =>
      `${Momento}  ${Status ?? '—'}  ${DuracionMs} ms${fault ? `  ${fault}` : ''}\n`,
  ).join('')
  if (Estado === 'entregada') return `${attempts}Delivered.\n`
  if (Intentos.length === 0) return 'Not tried yet: does a worker run (ROLE all or worker)?\n'
  const next = ProximoIntento ? `; next attempt at ${ProximoIntento}` : ''
  return `${attempts}Not delivered${next}. More: ${_links.self?.href}\n`
}

const explain = (topic: string) => (error: unknown) => {
  if (error instanceof ProblemError && error.status === 404)
    throw new Error(
      `the app has no webhook for ${topic}. Configure one: npx rodado call POST /v3/appnotificaciones/${topic} --body '{"Callback":"https://…"}', or npx rodado listen --topic ${topic}`,
    )
  throw error
}
