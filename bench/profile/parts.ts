import type { Frame } from './stacks.ts'

/** Who does the work: the colours of a flame graph. */
export const KINDS = ['Rodado', 'Fastify and other packages', 'SQL client', 'Node', 'native code, garbage'] as const
export type Kind = (typeof KINDS)[number]

/** What a request is made of, in the order of the table. */
export const PARTS = [
  { name: 'kernel: sockets, event loop', kind: 'native code, garbage' },
  { name: 'Node: HTTP, streams, ticks', kind: 'Node' },
  { name: 'garbage collection', kind: 'native code, garbage' },
  { name: 'Fastify', kind: 'Fastify and other packages' },
  { name: 'validators and printers made from schemas', kind: 'Fastify and other packages' },
  { name: 'signatures, and who asks', kind: 'Rodado' },
  { name: 'HTTP of ours: short way, limits, negotiation, ETag', kind: 'Rodado' },
  { name: 'log line', kind: 'Rodado' },
  { name: 'figures for Prometheus and usage', kind: 'Rodado' },
  { name: 'SQL client: statements out, rows in', kind: 'SQL client' },
  { name: 'catalogue and matching', kind: 'Rodado' },
  { name: 'the resource or page itself, printed', kind: 'Rodado' },
  { name: 'outbox and webhooks', kind: 'Rodado' },
  { name: 'the rest', kind: 'Rodado' },
] as const satisfies { name: string; kind: Kind }[]
export type Part = (typeof PARTS)[number]['name']

/** The first that fits the file. A file of Node's that none fits (crypto, buffers, …) is work of whoever called it. */
const BY_FILE: [RegExp, Part][] = [
  [
    /^node:(_http|net|events|timers|internal\/(streams|stream_base|timers|process|http|net))/,
    'Node: HTTP, streams, ticks',
  ],
  [/^(pino|sonic-boom|src\/(http\/)?log)/, 'log line'],
  [
    /^(prom-client|src\/(histogram|(http|outbox|webhooks)\/metrics|apps\/(observe|usage|tally)))/,
    'figures for Prometheus and usage',
  ],
  [/^(pg|postgres|sql-template-tag|src\/store)/, 'SQL client: statements out, rows in'],
  [
    /^(ajv|fast-json-stringify|json-schema|@sinclair|src\/http\/(check|validate|serialize))/,
    'validators and printers made from schemas',
  ],
  [/^src\/(auth|apps|sitios|accounts|hmac|store\/mirror)/, 'signatures, and who asks'],
  [/^src\/catalogue/, 'catalogue and matching'],
  [
    /^src\/(resources|intake|sandbox|pages|http\/(markup|print|dates|links|json))/,
    'the resource or page itself, printed',
  ],
  [/^src\/(outbox|webhooks|mail)/, 'outbox and webhooks'],
  [/^src\/(http|guard)/, 'HTTP of ours: short way, limits, negotiation, ETag'],
  [/^src\//, 'the rest'],
  [/^[^:]+$/, 'Fastify'],
]
const OF_SOCKETS = /^node:(net|internal\/stream_base_commons)/

/** What a function's own time is spent on; what is built in belongs to its caller, but for calls of sockets. */
export function resultPage({ name, file, made }: Frame, caller: Frame, callersPart: Part): Part {
  if (name === '(garbage collector)') return 'garbage collection'
  if (name === '(program)') return 'kernel: sockets, event loop'
  if (made) return 'validators and printers made from schemas'
  if (file === '') return OF_SOCKETS.test(caller.file) ? 'kernel: sockets, event loop' : callersPart
  return BY_FILE.find(([pattern]) => pattern.test(file))?.[1] ?? callersPart
}

/** The share of each part in the time of a profile. */
export function sharesOf(root: Frame): Record<Part, number> {
  const shares = Object.fromEntries(PARTS.map(({ name }) => [name, 0])) as Record<Part, number>
  const add = (frame: Frame, part: Part): void => {
    shares[part] += frame.self / (root.total || 1)
    for (const each of frame.called) add(each, resultPage(each, frame, part))
  }
  add(root, 'the rest')
  return shares
}
