import type { Block } from './sheet.ts'

/** Customer service, as the operator configured it (SUPPORT_URL, SUPPORT_MAIL). */
export interface Support {
  url?: string | undefined
  mail?: string | undefined
}

/** Whom to ask, at the foot of every letter. */
export function supportBlocks({ url, mail }: Support): Block[] {
  const address = mail?.match(/[^\s<>]+@[^\s<>]+/)?.[0]
  return [
    ...(url ? [{ link: 'Atención al cliente', url }] : []),
    ...(address ? [{ link: 'Escribir a atención al cliente', url: `mailto:${address}` }] : []),
  ]
}
