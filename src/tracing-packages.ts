// Loaded only where tracing is on. Imported statically: bundled, an `import()` of a CommonJS package has no named exports.
export * as api from '@opentelemetry/api'
export * as core from '@opentelemetry/core'
export { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
export * as resources from '@opentelemetry/resources'
export * as sdk from '@opentelemetry/sdk-trace-base'
