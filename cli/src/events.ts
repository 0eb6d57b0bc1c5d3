import { once } from 'node:events'
import { type Client, followEvents, type WebhookEvent } from '@rodado/client'
import { FLAG, type Io, readAddress, TEXT, UsageError, untilInterrupted } from './command.ts'
import type { PartnerConfig } from './config.ts'
import { cursorFile } from './cursor-file.ts'
import { eventLine } from './event-line.ts'
import { createForwarder } from './forward.ts'
import { defineCommand, PARTNER_OPTIONS, withClient } from './partner.ts'
import { readTopic, TOPICS } from './topics.ts'

const POLL_MS = 1000

const OPTIONS = {
  follow: { ...FLAG, default: false },
  cursor: TEXT,
  'cursor-file': TEXT,
  topic: { ...TEXT, values: TOPICS },
  'forward-to': TEXT,
  firma: TEXT,
  ...PARTNER_OPTIONS,
}

interface Reading {
  follow: boolean
  cursor: string | undefined
  signal: AbortSignal
  isShown(event: WebhookEvent): boolean
  /** Shows or forwards an event; false if it was interrupted. */
  handle(event: WebhookEvent): Promise<boolean>
  /** Stores the cursor after all events before it are handled. */
  save(cursor: string): Promise<void>
}

/** Prints or forwards the feed of an app, once or continuously. */
export const run = defineCommand('', OPTIONS, async (values, io) => {
  const { config, out, err } = io
  const { follow, json = false, firma } = values
  const topic = values.topic === undefined ? undefined : readTopic(values.topic)
  const target = values['forward-to'] === undefined ? undefined : readAddress('--forward-to', values['forward-to'])
  if (target && !firma) throw new UsageError('--forward-to needs --firma: the Secret that your receiver verifies with.')
  if (values.cursor !== undefined && values['cursor-file'] !== undefined)
    throw new UsageError('give --cursor or --cursor-file, not both.')
  const stored = values['cursor-file'] === undefined ? undefined : cursorFile(values['cursor-file'])
  const start = values.cursor ?? (await stored?.read()) ?? (follow && !stored ? 'fin' : undefined)

  const signal = untilInterrupted(out)
  const forward = target && firma ? createForwarder({ target, secret: firma, err, signal }) : undefined
  const printer = createPrinter(io, { isList: json && !follow, json, signal })
  if (follow) err.write(`Waiting for events${target ? ` to forward to ${target}` : ''}; Ctrl-C ends.\n`)
  const cursor = await withClient(config, values, (client) =>
    readFeed(client, {
      follow,
      cursor: start,
      signal,
      isShown: ({ Topic }) => topic === undefined || Topic === topic,
      async handle(event) {
        const status = await forward?.(event)
        if (forward && status === undefined) return false
        await printer.print(event, status)
        return true
      },
      save: async (next) => stored?.write(next),
    }),
  )
  await printer.end()
  const isIncomplete = !follow && signal.aborted
  if (isIncomplete) err.write('Interrupted: not all events were read.\n')
  else if (!follow && printer.isEmpty()) err.write('There are no events.\n')
  if (cursor !== undefined && cursor !== 'fin') err.write(`cursor: ${cursor}\n`)
  return isIncomplete ? 1 : 0
})

/** Reads page by page; returns the cursor after the last page that was handled whole. */
async function readFeed(client: Client, reading: Reading): Promise<string | undefined> {
  const { follow, signal, isShown, handle, save } = reading
  let { cursor } = reading
  const from = cursor === undefined ? {} : { cursor }
  for await (const { events, next } of followEvents(client, { ...from, everyMs: POLL_MS, once: !follow, signal })) {
    for (const event of events.filter(isShown)) if (!(await handle(event))) return cursor
    cursor = next
    await save(next)
  }
  return cursor
}

/** Prints events as lines, as JSON lines, or as one JSON list. */
function createPrinter(
  { out, style }: Io<PartnerConfig>,
  { isList, json, signal }: { isList: boolean; json: boolean; signal: AbortSignal },
) {
  let before = isList ? '[' : ''
  let count = 0
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain', { signal }).catch(() => undefined)
  }
  return {
    async print(event: WebhookEvent, status: number | undefined): Promise<void> {
      const forwarded = status === undefined ? '' : `${style('green', `✓ ${status}`)}  `
      const text = json ? JSON.stringify(event) : `${forwarded}${event.Momento}  ${eventLine(event, style)}`
      await write(`${before}${text}\n`)
      if (isList) before = ','
      count += 1
    },
    isEmpty: () => count === 0,
    async end(): Promise<void> {
      if (isList) await write(before === '[' ? '[]\n' : ']\n')
    },
  }
}
