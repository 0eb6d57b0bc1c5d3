import { byLocale, currentLocale } from '../../i18n/locale.ts'
import { t } from '../../i18n/messages.tsx'
import { readMarkdown, renderMarkdown, TextSection } from '../markdown.tsx'
import { GuideAside } from './guide/page.tsx'
import { DocsLayout } from './layout.tsx'

/** What changed for those who call the API; CHANGELOG.md is for those who run the server. */
export const CHANGES = byLocale((locale) => readMarkdown(new URL(`./${locale}/cambios.md`, import.meta.url)))

export function changesPage() {
  const { title, lead, sections } = CHANGES[currentLocale()]
  const scope = { values: {} }
  return (
    <DocsLayout
      title={title}
      description={t('docs.changes.description')}
      section="/docs"
      aside={<GuideAside more="/docs/cambios" />}
    >
      <header class="lead">
        <h1>{title}</h1>
        {renderMarkdown(lead, scope)}
      </header>
      {sections.map((section) => (
        <TextSection key={section.id} section={section} scope={scope} />
      ))}
    </DocsLayout>
  )
}
