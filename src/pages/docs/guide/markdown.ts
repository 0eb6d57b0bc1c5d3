import type { Document } from '../../../http/openapi/document.ts'
import { t } from '../../../i18n/messages.tsx'
import { TOPICS } from '../../../webhooks/topics.ts'
import { fillMarkdown, type MarkdownDocument, type TextScope } from '../../markdown.tsx'
import { tagAnchor, webhookAnchor } from '../anchors.ts'
import { exampleOf, fileNameOf, type Task } from '../examples.ts'
import { LANGUAGES, languages, type SampleLanguage } from '../languages.ts'
import { translateDocument } from '../translate.ts'
import { guide, markdownHref, type Reader, summaryOf } from './chapters.ts'
import { isForPartners } from './page.tsx'
import { sampleProblem, textValues } from './values.ts'

/** A text of the guide as Markdown: a program that reads it needs no page. */
export function asMarkdown({ title, lead, sections }: MarkdownDocument, document: Document, reader: Reader): string {
  const scope = textScope(translateDocument(document), reader)
  const parts = sections.flatMap((section) => [`## ${section.title}`, fillMarkdown(section.tokens, scope)])
  return `${[`# ${title}`, fillMarkdown(lead, scope), ...parts].join('\n\n')}\n`
}

/** Of the blocks of code whose name differs from the language's. */
const FENCES: Partial<Record<SampleLanguage, string>> = { curl: 'sh', javascript: 'js' }

function textScope({ tags }: Document, reader: Reader): TextScope {
  const { names, language } = reader
  const at = (path: string) => `${names.publicUrl}${path}` // the text may be read far from its address
  const chapter = (slug: string, of = language) => at(markdownHref(slug, of))
  const topics = TOPICS.map(
    (topic) => `- [\`${topic}\`](${at(`/docs#${webhookAnchor(topic)}`)}): ${t(`entregas.topic.${topic}`)}`,
  )
  const resources = tags.filter(isForPartners).map(({ name, 'x-displayName': title, description }) => {
    return `- [${title}](${at(`/docs#${tagAnchor(name)}`)}): ${description}`
  })
  return {
    values: {
      ...textValues(names),
      problem: JSON.stringify(sampleProblem(names), null, 2),
      languages: languages.map((each) => `[${LANGUAGES[each]}](${chapter('', each)})`).join(', '),
    },
    blocks: {
      chapters: () =>
        guide()
          .chapters.map((each) => `- [${each.title}](${chapter(each.slug)}): ${summaryOf(each)}`)
          .join('\n'),
      example: (task) => exampleBlock(task as Task, reader),
      resources: () => resources.join('\n'),
      topicList: () => topics.join('\n'),
      topics: () => topics.join('\n'),
    },
    isShown: (condition) => condition === language,
    hrefOf(href) {
      const [guide, slug = ''] = /^\/docs\/guia(?:\/(\w+))?(?:#.+)?$/.exec(href) ?? []
      return guide ? chapter(slug) : at(href)
    },
  }
}

const exampleBlock = (task: Task, { names, language }: Reader): string =>
  `\`${fileNameOf(task, language)}\` (${t(`docs.requires.${language}`)}):

\`\`\`${FENCES[language] ?? language}
${exampleOf(task, language, names).trimEnd()}
\`\`\``
