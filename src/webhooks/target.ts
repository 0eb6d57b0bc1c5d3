import { classify, isAddress, type Range } from './addresses.ts'

/** What a name that is always this machine stands for (RFC 6761). */
const LOOPBACKS = ['127.0.0.1', '::1']

/**
 * Why a callback may not be configured, in words for partners; undefined when it may. A literal is known here and now;
 * where a name leads is only known when it is connected to (`mayConnect`), so http under a name passes as soon as the
 * operator opened any range. The URL has brought hexadecimal, octal and shortened addresses into their plain form.
 */
export function refuseTarget(callback: URL, opened: readonly Range[]): string | undefined {
  const { protocol, username, password, port } = callback
  if (protocol !== 'https:' && protocol !== 'http:') return 'Debe ser una dirección https.'
  if (username || password) return 'No puede llevar usuario ni clave; para eso están los encabezados propios.'
  if (port === '0') return 'El puerto 0 no existe.'

  const kinds = literalsOf(callback).map((address) => classify(address, opened))
  if (kinds.length > 0 && kinds.every((kind) => kind === 'closed'))
    return 'Esta dirección es privada o reservada: no se le pueden enviar notificaciones.'
  const mayBeOpened = kinds.length > 0 ? kinds.includes('opened') : opened.length > 0
  if (protocol === 'http:' && !mayBeOpened) return 'Debe ser una dirección https.'
  return undefined
}

/** Whether we may talk to the address that was connected to: a public one by https alone, an opened one as it likes. */
export function mayConnect(address: string, protocol: string, opened: readonly Range[]): boolean {
  const kind = classify(address, opened)
  return kind === 'opened' || (kind === 'public' && protocol === 'https:')
}

/** The addresses that a URL names outright; none where a name has to be looked up. */
function literalsOf({ hostname }: URL): string[] {
  const host = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase()
  if (isAddress(host)) return [host]
  return /(^|\.)localhost$/.test(host) ? LOOPBACKS : []
}
