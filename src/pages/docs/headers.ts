import type { FastifyReply } from 'fastify'
import { LOCALES } from '../../i18n/locale.ts'
import { allowScript } from '../security.ts'
import type { Names } from './examples.ts'

/** The headers of a page of the documentation: its script may run, and search engines find it in each language. */
export function docsHeaders(reply: FastifyReply, { publicUrl }: Pick<Names, 'publicUrl'>): FastifyReply {
  const [path = ''] = reply.request.url.split('?')
  const languages = LOCALES.map(
    (locale) => `<${publicUrl}${path}?idioma=${locale}>; rel="alternate"; hreflang="${locale}"`,
  )
  reply.header('link', [reply.getHeader('link') ?? [], languages].flat().join(', '))
  return allowScript(reply)
}
