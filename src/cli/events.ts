import { once } from 'node:events'
import { followEvents, type WebhookEvent } from '@rodado/client'
import { isTopic, TOPICS } from '../webhooks/topics.ts'
import { defineCommand, FLAG, TEXT, UsageError, untilInterrupted } from './command.ts'
import { clientOf, PARTNER_OPTIONS } from './partner.ts'

const POLL_MS = 1000

const OPTIONS = { follow: { ...FLAG, default: false }, cursor: TEXT, topic: TEXT, ...PARTNER_OPTIONS }

/** Prints the feed of an app, once or continuously. */
export const run = defineCommand('', OPTIONS, async (values, { config, out, err }) => {
  const { follow, topic, json } = values
  const isList = json && !follow
  if (topic !== undefined && !isTopic(topic)) throw new UsageError(`the topics are: ${TOPICS.join(', ')}.`)

  const client = await clientOf(config, values)
  const signal = untilInterrupted(out)
  let cursor = values.cursor ?? (follow ? 'fin' : undefined)
  let before = isList ? '[' : ''
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain', { signal }).catch(() => undefined)
  }
  if (follow) err.write('Waiting for events; Ctrl-C ends.\n')
  for await (const { events, next } of followEvents(client, {
    ...(cursor !== undefined && { cursor }),
    everyMs: POLL_MS,
    once: !follow,
    signal,
  })) {
    for (const event of events.filter(({ Topic }) => topic === undefined || Topic === topic)) {
      const text = json ? JSON.stringify(event) : `${event.Momento}  ${eventLine(event)}`
      await write(`${before}${text}\n`)
      if (isList) before = ','
    }
    cursor = next
  }
  if (isList) await write(before === '[' ? '[]\n' : ']\n')
  if (cursor !== undefined && cursor !== 'fin') err.write(`cursor: ${cursor}\n`)
  return 0
})

/** An event on one line. */
export const eventLine = (event: WebhookEvent): string =>
  [event.Topic.padEnd(23), event.Id, event.AdminMail, about(event), event.Prueba ? '(test)' : '']
    .filter(Boolean)
    .join('  ')

function about(event: WebhookEvent): string {
  if ('Consulta' in event) {
    const { Consulta } = event
    return 'Auto' in Consulta ? `${Consulta.Auto.Marca} ${Consulta.Auto.Modelo}, ${Consulta.Estado}` : Consulta.href
  }
  if ('ExternalId' in event) return `${event.ExternalId}, by the ${event.Por}`
  return 'Por' in event ? `by the ${event.Por}` : ''
}
