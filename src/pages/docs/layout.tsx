import type { ComponentChildren } from 'preact'
import { t } from '../../i18n/messages.tsx'
import { ASSETS } from '../assets.ts'
import { Layout, type LayoutProps } from '../layout.tsx'

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
