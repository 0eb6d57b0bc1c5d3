import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A span as a collector receives it. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  /** Empty for the first span of a trace. */
  parentSpanId: string
  name: string
  kind: number
  service: string
  attributes: Record<string, string | number>
  failed: boolean
}

export interface OtlpReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string
  spans: ReceivedSpan[]
  /** All that was received, for what must not be in it. */
  bytes(): Buffer
  close(): Promise<void>
}

const [ERROR, OK] = [2, 200]

/** A collector: takes `POST /v1/traces` as OTLP over HTTP in protobuf. */
export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: Buffer[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const isTraces = request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf'
    if (!isTraces) return response.writeHead(404).end()
    bodies.push(body)
    spans.push(...spansOf(body))
    response.writeHead(OK, { 'content-type': 'application/x-protobuf' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bytes: () => Buffer.concat(bodies),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

// The numbers are those of the fields in opentelemetry/proto/trace/v1/trace.proto.

const spansOf = (request: Buffer): ReceivedSpan[] =>
  messages(request, 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1).flatMap((each) => attributesOf(each, 1))
    const service = String(Object.fromEntries(resource)['service.name'])
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => spanOf(span, service))
  })

const spanOf = (span: Buffer, service: string): ReceivedSpan => ({
  traceId: hex(span, 1),
  spanId: hex(span, 2),
  parentSpanId: hex(span, 4),
  name: text(span, 5),
  kind: number(span, 6),
  service,
  attributes: Object.fromEntries(attributesOf(span, 9)),
  failed: messages(span, 15).some((status) => number(status, 3) === ERROR),
})

const attributesOf = (message: Buffer, field: number): [string, string | number][] =>
  messages(message, field).map((pair) => {
    const [value = Buffer.alloc(0)] = messages(pair, 2)
    return [text(pair, 1), text(value, 1) || number(value, 3)]
  })

const messages = (bytes: Buffer, field: number): Buffer[] =>
  fieldsOf(bytes).flatMap((each) => (each.field === field && Buffer.isBuffer(each.value) ? [each.value] : []))
const text = (bytes: Buffer, field: number) => messages(bytes, field)[0]?.toString('utf8') ?? ''
const hex = (bytes: Buffer, field: number) => messages(bytes, field)[0]?.toString('hex') ?? ''
const number = (bytes: Buffer, field: number) =>
  Number(fieldsOf(bytes).find((each) => each.field === field && !Buffer.isBuffer(each.value))?.value ?? 0)

/** Reads one message of protobuf: numbers, fixed numbers and bytes. */
function fieldsOf(bytes: Buffer): { field: number; value: Buffer | bigint }[] {
  const fields: { field: number; value: Buffer | bigint }[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at++] ?? 0)
      value |= (byte & 0x7fn) << shift
      if (byte < 0x80n) return value
    }
  }
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const [field, type] = [tag >> 3, tag & 7]
    if (type === 0) fields.push({ field, value: varint() })
    else if (type === 1) fields.push({ field, value: take(8).readBigUInt64LE() })
    else if (type === 2) fields.push({ field, value: take(Number(varint())) })
    else if (type === 5) fields.push({ field, value: BigInt(take(4).readUInt32LE()) })
    else throw new Error(`protobuf has no wire type ${type}`)
  }
  return fields
}
