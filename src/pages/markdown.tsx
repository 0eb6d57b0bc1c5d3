import { readFileSync } from 'node:fs'
import { lexer, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { Anchored, Code, Status } from './parts.tsx'
import { publicHref } from './public-href.ts'

/** A text in Markdown: `# title`, a lead, and sections that begin with `## title {#id}`. */
export interface MarkdownDocument {
  readonly title: string
  readonly lead: Token[]
  readonly sections: MarkdownSection[]
}

export interface MarkdownSection {
  id: string
  title: string
  tokens: Token[]
}

/** What the `{{…}}` of a text stand for. Statuses such as `{{404}}` are always known. */
export interface MarkdownScope {
  /** `{{name}}` in text and code. */
  values: Record<string, ComponentChildren>
  /** `{{name argument}}` as a paragraph of its own. */
  blocks?: Record<string, (argument: string) => ComponentChildren>
  /** Whether to show a paragraph that begins with `{{only condition}}`. */
  isShown?(condition: string): boolean
  hrefOf?(href: string): string
}

/** A text that is read when it is first used, so that the server starts without it. */
export function readMarkdown(file: URL): MarkdownDocument {
  let document: MarkdownDocument | undefined
  const read = () => (document ??= parse(readFileSync(file, 'utf8')))
  return {
    get title() {
      return read().title
    },
    get lead() {
      return read().lead
    },
    get sections() {
      return read().sections
    },
  }
}

function parse(text: string): MarkdownDocument {
  const all = lexer(text)
  const [{ title, tokens } = { title: '', tokens: all }] = sectionsOf(all, 1)
  const start = tokens.findIndex(({ type }) => type === 'heading')
  return { title, lead: start < 0 ? tokens : tokens.slice(0, start), sections: sectionsOf(tokens, 2) }
}

/** The sections that begin with a heading of that depth: `### title {#id}`. */
export function sectionsOf(tokens: Token[], depth: number): MarkdownSection[] {
  const sections: MarkdownSection[] = []
  for (const token of tokens) {
    if (token.type !== 'heading' || token.depth !== depth) sections.at(-1)?.tokens.push(token)
    else {
      const [, title = '', id = ''] = /^(.*?)(?: \{#([\w-]+)\})?$/.exec(token.text) ?? []
      sections.push({ id, title, tokens: [] })
    }
  }
  return sections
}

export const paragraphsOf = (tokens: Token[]): Tokens.Paragraph[] =>
  tokens.filter((token): token is Tokens.Paragraph => token.type === 'paragraph')

const PLACEHOLDER = /\{\{(.+?)\}\}/
const ALONE = /^\{\{(\w+) ?(.*?)\}\}$/
const CONDITION = /^\{\{only (\w+)\}\}\s*/

/** `{{caption …}}`, `{{class …}}` and `{{id …}}` belong to the table, list or paragraph that follows. */
interface Attributes {
  caption?: string
  class?: string
  id?: string
}

const ATTRIBUTES = new Set(['caption', 'class', 'id'])

/** Markdown as elements. Raw HTML and unknown placeholders are errors. */
export function renderMarkdown(tokens: Token[], scope: MarkdownScope): ComponentChildren[] {
  const elements: ComponentChildren[] = []
  let attributes: Attributes = {}
  for (const token of tokens) {
    if (token.type === 'space') continue
    const [, name = '', argument = ''] = (token.type === 'paragraph' && ALONE.exec(token.raw.trim())) || []
    if (ATTRIBUTES.has(name)) {
      attributes = { [name]: argument }
      continue
    }
    elements.push(scope.blocks?.[name]?.(argument) ?? renderBlock(token, scope, attributes))
    attributes = {}
  }
  return elements
}

/** A scope without elements, for `fillMarkdown`. */
export interface TextScope extends MarkdownScope {
  values: Record<string, string>
  blocks: Record<string, (argument: string) => string>
}

/** Markdown with its `{{…}}` replaced, still Markdown. */
export function fillMarkdown(tokens: Token[], scope: TextScope): string {
  const filled = (text: string) => fill(text, scope, String).join('')
  const linked = (text: string) => text.replace(/\]\((\/[^)]*)\)/g, (_, href) => `](${scope.hrefOf?.(href) ?? href})`)
  const blocks = tokens.map((token) => {
    if (token.type === 'code') return `${token.lang}:\n\n\`\`\`\n${filled(token.text)}\n\`\`\``
    const raw = token.raw.trim()
    const [, name = '', argument = ''] = (token.type === 'paragraph' && ALONE.exec(raw)) || []
    if (ATTRIBUTES.has(name)) return ''
    const condition = CONDITION.exec(raw)?.[1]
    if (condition && !scope.isShown?.(condition)) return ''
    return scope.blocks[name]?.(argument) ?? linked(filled(raw.replace(CONDITION, '')))
  })
  return blocks.filter((block) => block !== '').join('\n\n')
}

export const TextSection = ({ section, scope }: { section: MarkdownSection; scope: MarkdownScope }) => (
  <section id={section.id}>
    <Anchored id={section.id} level={2}>
      {section.title}
    </Anchored>
    {renderMarkdown(section.tokens, scope)}
  </section>
)

function renderBlock(
  token: Token,
  scope: MarkdownScope,
  { caption = '', ...attributes }: Attributes,
): ComponentChildren {
  switch (token.type) {
    case 'paragraph':
      return renderParagraph(token as Tokens.Paragraph, scope, attributes)
    case 'heading':
      return <h3>{renderInline(token.tokens, scope)}</h3>
    case 'code':
      return <Code label={token.lang}>{fill(token.text, scope, statusElement)}</Code>
    case 'table': {
      const { header, rows } = token as Tokens.Table
      const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => renderInline(tokens, scope))
      return <FactsTable caption={caption} heads={cells(header)} rows={rows.map(cells)} />
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List
      const List = ordered ? 'ol' : 'ul'
      return (
        <List {...attributes}>
          {items.map((item) => (
            <li>{item.tokens.map((part) => renderInline('tokens' in part ? part.tokens : [], scope))}</li>
          ))}
        </List>
      )
    }
    default:
      throw new Error(`Markdown: ${token.type} is not supported: ${token.raw}`)
  }
}

function renderParagraph({ raw, tokens }: Tokens.Paragraph, scope: MarkdownScope, attributes: Attributes) {
  const condition = CONDITION.exec(raw)
  if (condition && !scope.isShown?.(condition[1] ?? '')) return null
  const isFormula = tokens.length === 1 && tokens[0]?.type === 'codespan'
  return (
    <p class={isFormula ? 'formula' : undefined} {...attributes}>
      {renderInline(tokens, scope)}
    </p>
  )
}

export function renderInline(tokens: Token[] = [], scope: MarkdownScope): ComponentChildren[] {
  return tokens.map((token) => {
    switch (token.type) {
      case 'text':
      case 'escape':
        return fill(token.text.replace(CONDITION, '').replaceAll('\n', ' '), scope, statusElement)
      case 'codespan':
        return <code>{fill(token.text, scope, statusElement)}</code>
      case 'strong':
        return <strong>{renderInline(token.tokens, scope)}</strong>
      case 'em':
        return <em>{renderInline(token.tokens, scope)}</em>
      case 'link':
        return <a href={publicHref(scope.hrefOf?.(token.href) ?? token.href)}>{renderInline(token.tokens, scope)}</a>
      default:
        throw new Error(`Markdown: ${token.type} is not supported: ${token.raw}`)
    }
  })
}

function fill<Value>(
  text: string,
  { values }: { values: Record<string, Value> },
  statusOf: (code: string) => Value,
): (string | Value)[] {
  return text.split(PLACEHOLDER).map((part, index) => {
    if (index % 2 === 0) return part
    if (/^\d(\d\d|xx)$/.test(part)) return statusOf(part)
    if (!Object.hasOwn(values, part)) throw new Error(`Markdown: {{${part}}} is unknown`)
    return values[part] as Value
  })
}

const statusElement = (code: string): ComponentChildren => <Status code={code} />

interface FactsProps {
  /** For screen readers. */
  caption: string
  heads: ComponentChildren[]
  rows: ComponentChildren[][]
}

/** A head as text, if it is nothing but text. */
function textOf(head: ComponentChildren): string | undefined {
  const parts = [head].flat()
  return parts.every((part) => typeof part === 'string') ? parts.join('') : undefined
}

/** A table that scrolls on narrow screens, with the keyboard too. */
export const FactsTable = ({ caption, heads, rows }: FactsProps) => (
  <section class="table-scroll" tabindex={0} aria-label={caption}>
    <table class="guide-facts">
      <thead>
        <tr>
          {heads.map((head) => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...more]) => (
          <tr>
            <th scope="row">{first}</th>
            {more.map((cell, at) => (
              <td data-head={more.length > 1 ? textOf(heads[at + 1]) : undefined}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
