import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Context, Span, SpanKind, Tracer } from '@opentelemetry/api'
import type { Logger } from 'pino'

type Api = typeof import('@opentelemetry/api')
type Core = typeof import('@opentelemetry/core')

/** Undefined while tracing is off: then nothing of OpenTelemetry is loaded, and the functions here do nothing. */
let tracing: { api: Api; core: Core; tracer: Tracer } | undefined

/**
 * The spans that the running code works for: those of one request, or of all requests that share a statement. A context
 * of OpenTelemetry has only one span, so this is our own.
 */
const active = new AsyncLocalStorage<readonly Span[]>()
const NONE: readonly Span[] = []
const SHUTDOWN_MS = 2_000

export const isTracing = (): boolean => tracing !== undefined

/**
 * Sends spans by OTLP over HTTP. The packages read their standard variables (OTEL_…) themselves. Returns the function
 * that sends the rest and stops.
 */
export async function startTracing(version: string, log: Pick<Logger, 'warn'>): Promise<() => Promise<void>> {
  const { api, core, sdk, resources, OTLPTraceExporter } = await import('./tracing-packages.ts')
  const warn = (message: string) => log.warn({}, `tracing: ${message}`)
  const ignore = () => undefined
  api.diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, api.DiagLogLevel.WARN)
  const { envDetector, hostDetector, serviceInstanceIdDetector } = resources
  const detected = resources.detectResources({ detectors: [envDetector, hostDetector, serviceInstanceIdDetector] })
  const provider = new sdk.BasicTracerProvider({
    // What the operator sets (OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES) has precedence.
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'rodado', 'service.version': version }))
      .merge(detected),
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  })
  tracing = { api, core, tracer: provider.getTracer('rodado', version) }
  return async () => {
    tracing = undefined
    const late = new Promise((resolve) => setTimeout(resolve, SHUTDOWN_MS).unref())
    await Promise.race([provider.shutdown().catch(ignore), late])
    api.diag.disable()
  }
}

/** The spans of the running code; none while tracing is off. */
export const activeSpans = (): readonly Span[] => (tracing && active.getStore()) ?? NONE

/** Runs work on behalf of these spans; with none, of nobody, even if a request has started it. */
export const withSpans = <T>(spans: readonly Span[], work: () => T): T => (tracing ? active.run(spans, work) : work())

interface SpanOptions {
  kind: keyof typeof SpanKind
  /** A W3C `traceparent`: the span belongs to its trace. Ignored if it is invalid. */
  parent?: string | null | undefined
  attributes?: Attributes
  /** By `performance.now()`; the present by default. */
  startedMs?: number
}

/** Starts a span that does not depend on the running code; undefined while tracing is off. */
export function startSpan(name: string, { kind, parent, attributes = {}, startedMs }: SpanOptions): Span | undefined {
  if (!tracing) return undefined
  const { api, core, tracer } = tracing
  const given = parent ? core.parseTraceParent(parent) : null
  const context: Context = given
    ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...given, isRemote: true })
    : api.ROOT_CONTEXT
  const options = { kind: api.SpanKind[kind], attributes, ...(startedMs !== undefined && { startTime: startedMs }) }
  return tracer.startSpan(name, options, context)
}

/**
 * Traces a statement by its name, in every trace that it is part of. It has no values. A statement that runs for nobody,
 * such as a worker's poll, is not traced.
 */
export function traceStatement(name: string): ((error?: unknown) => void) | undefined {
  const parents = activeSpans()
  if (!tracing || parents.length === 0) return undefined
  const { api, tracer } = tracing
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name }
  const spans = parents.map((parent) =>
    tracer.startSpan(name, { kind: api.SpanKind.CLIENT, attributes }, api.trace.setSpan(api.ROOT_CONTEXT, parent)),
  )
  return (error) => {
    for (const span of spans) endSpan(span, error === undefined ? undefined : errorType(error))
  }
}

/** Ends a span; with a reason it has failed. Neither may hold personal data. */
export function endSpan(span: Span, reason?: string, attributes: Attributes = {}): void {
  span.setAttributes(reason === undefined ? attributes : { ...attributes, 'error.type': reason })
  if (reason !== undefined && tracing) span.setStatus({ code: tracing.api.SpanStatusCode.ERROR })
  span.end()
}

/** The SQLSTATE or system code: messages of PostgreSQL may quote values. */
const errorType = (error: unknown): string => String((error as { code?: unknown })?.code ?? (error as Error)?.name)

/** For the log lines of a span. */
export function traceIds(span: Span | undefined = activeSpans()[0]): { trace_id?: string; span_id?: string } {
  if (!span) return {}
  const { traceId, spanId } = span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}

/** The span as a W3C `traceparent`: what follows from it belongs to its trace. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}
