import type { Errors } from '../../http/problems.ts'
import type { Settings } from '../../webhooks/subscriptions.ts'

/** Names that frame the message or belong to the connection (RFC 9110, 7.6.1), and those we write ourselves. */
const OWNED =
  /^(accept-encoding|connection|content-.*|date|expect|host|http2-settings|keep-alive|notification-.*|proxy-.*|te|trailer|transfer-encoding|traceparent|tracestate|upgrade|user-agent|via|webhook-.*)$/

/** What is wrong with an app's own headers beyond their form. */
export function headerFaults(headers: Settings['headers']): Errors {
  const faults: Errors = {}
  const seen = new Set<string>()
  headers.forEach((header, place) => {
    if (!header) return
    const name = header.Name.toLowerCase()
    const key = `HeaderCustom0${place + 1}.Name`
    if (OWNED.test(name)) faults[key] = ['Este encabezado lo ponen HTTP o el servicio: use otro nombre.']
    else if (seen.has(name)) faults[key] = ['Este encabezado está repetido.']
    seen.add(name)
  })
  return faults
}
