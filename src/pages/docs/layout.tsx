import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import { LOCALES } from '../../i18n/locale.ts'
import { t } from '../../i18n/messages.tsx'
import { ASSETS } from '../assets.ts'
import { Layout, type LayoutProps } from '../layout.tsx'
import { allowScript } from '../security.ts'
import type { Names } from './examples.ts'

type DocsLayoutProps = Omit<LayoutProps, 'script' | 'visitor' | 'indexed' | 'head'>

/** A page of the documentation, with its script: set the policy of `allowScript` with it. */
export const DocsLayout = ({ children, ...props }: DocsLayoutProps) => (
  <Layout {...props} head={HEAD}>
    <CopyTemplate />
    {children}
  </Layout>
)

const HEAD = (
  <>
    <link rel="stylesheet" href={ASSETS.docsCss.href} />
    <script src={ASSETS.copy.href} defer />
    <script src={ASSETS.docs.href} defer />
  </>
)

/** The button that the script puts on every sample. */
const CopyTemplate = (): ComponentChildren => (
  <template id="copiar">
    <button
      type="button"
      class="secondary copy-sample"
      data-copy=""
      data-copied={t('comun.copied')}
      data-by-hand={t('comun.copyByHand')}
      title={t('docs.example.copy')}
    >
      <span aria-live="polite">{t('comun.copy')}</span>
    </button>
  </template>
)

/** The headers of a page of the documentation: its script may run, and search engines find it in each language. */
export function docsHeaders(reply: FastifyReply, { publicUrl }: Pick<Names, 'publicUrl'>): FastifyReply {
  const [path = ''] = reply.request.url.split('?')
  const languages = LOCALES.map(
    (locale) => `<${publicUrl}${path}?idioma=${locale}>; rel="alternate"; hreflang="${locale}"`,
  )
  reply.header('link', [reply.getHeader('link') ?? [], languages].flat().join(', '))
  return allowScript(reply)
}
