import { setTimeout as pause } from 'node:timers/promises'
import { type Client, type EntregaDetalle, ProblemError } from '@rodado/client'
import { isTopic, TOPICS } from '../webhooks/topics.ts'
import { type Command, parse, printJson, UsageError } from './command.ts'
import { clientOf, PARTNER_OPTIONS, PARTNER_USAGE } from './partner.ts'

const LOOK_MS = 200
const TIMEOUT_MS = 20_000 // a receiver has 15 s to respond

/** Sends a sample event through the normal delivery, and shows the result. */
export const command: Command = {
  usage: `Usage: rodado trigger TOPIC [--json]

Sends a sample event to the app's own webhook, the same way as real events, and waits for the answer. Its payload has
\`Prueba: true\`.

${PARTNER_USAGE}

Topics: ${TOPICS.join(', ')}`,

  async run(argv, { config, out, err }) {
    const { values, positionals } = parse(argv, { ...PARTNER_OPTIONS })
    const [topic, ...more] = positionals
    if (!topic || !isTopic(topic) || more.length > 0) throw new UsageError('give one TOPIC.')
    const client = await clientOf(config, values)
    const { Id: id } = await client.probarWebhook({ topic }).catch(explain(topic))
    if (!values.json) err.write(`Sent ${topic} ${id}; waiting for your receiver…\n`)
    const delivery = await settled(client, topic, id)
    if (values.json) printJson(out, delivery)
    else for (const line of describe(delivery)) out.write(`${line}\n`)
    return delivery.Estado === 'entregada' ? 0 : 1
  },
}

/** The delivery after its first attempt: retries may take hours. */
async function settled(client: Client, topic: string, id: string): Promise<EntregaDetalle> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const delivery = await client.verEntrega({ topic, id })
    if (delivery.Estado !== 'pendiente' || delivery.Intentos.length > 0 || Date.now() > deadline) return delivery
    await pause(LOOK_MS)
  }
}

function* describe({ Estado, Intentos, ProximoIntento, _links }: EntregaDetalle): Generator<string> {
  for (const { Momento, DuracionMs, Status, Error: fault } of Intentos)
    yield `${Momento}  ${Status ?? '—'}  ${DuracionMs} ms${fault ? `  ${fault}` : ''}`
  if (Estado === 'entregada') yield 'Delivered.'
  else if (Intentos.length === 0) yield 'Not tried yet: does a worker run (ROLE all or worker)?'
  else yield `Not delivered${ProximoIntento ? `; next attempt at ${ProximoIntento}` : ''}. More: ${_links.self?.href}`
}

const explain = (topic: string) => (error: unknown) => {
  if (error instanceof ProblemError && error.status === 404)
    throw new Error(
      `the app has no webhook for ${topic}. Configure one: npx rodado call POST /v3/appnotificaciones/${topic} --body '{"Callback":"https://…"}', or npx rodado listen --topic ${topic}`,
    )
  throw error
}
