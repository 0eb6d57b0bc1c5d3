import type { DeliveryRequest } from '../../../webhooks/request.ts'

/**
 * The request for a shell, as it would leave now. The address stands first, so that it can be led to a machine of one's
 * own; the body is sent byte for byte, or its signature would not hold.
 */
export function deliveryCurl({ callback, headers }: DeliveryRequest, payload: string): string {
  return [
    `DESTINO=${quoted(callback)}`,
    [
      'curl "$DESTINO"',
      ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
      `--data-raw ${quoted(payload)}`,
    ].join(' \\\n  '),
  ].join('\n')
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
