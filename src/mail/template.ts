import { readFileSync } from 'node:fs'
import { lexer, type Token } from 'marked'
import { currentLocale } from '../i18n/locale.ts'
import { itself, memoize } from '../memoize.ts'
import type { Block, ChangeRow, Recipient } from './content.ts'
import type { Email, EmailKind } from './email.ts'
import { renderEmail } from './layout.tsx'

type Value = string | number | boolean | null | undefined | readonly string[] | ChangeRow[]
type Values = Record<string, Value>

/** Whom an email is for, and the values in it. */
type About = Recipient & { [name: string]: Value | Recipient['brand'] }

const textOf = memoize((path: string) => readFileSync(new URL(`./${path}.md`, import.meta.url), 'utf8'), itself)

const HEAD = /^Asunto: (.*)\nResumen: (.*)$/
const CONDITION = /^\{\{only (\w+)\}\}\s+(.*)$/s
const PLACEHOLDER = /\{\{(\w+)\}\}/g
const ALONE = /^\{\{(\w+)\}\}$/

const isThere = (value: Value): boolean =>
  typeof value === 'string' ? value.trim() !== '' : Array.isArray(value) ? value.length > 0 : Boolean(value)

/**
 * Writes an email from its Markdown, `es/`, `pt/` or `en/`: subject and preview, title, blocks, and the footer below a line. A bold link
 * is a button and text in italics a note. `{{name}}` stands for a value, and a block that begins with `{{only name}}` is
 * there only if that value is; `{{mercado}}` is the marketplace's name. The Markdown is parsed before the values are put in, so no value can add markup.
 */
export function writeEmail(
  email: { kind: EmailKind } & Pick<Partial<Email>, 'replyTo' | 'invitacionId' | 'unsubscribeUrl' | 'oneTimeUrls'>,
  { to, brand, ...given }: About,
): Email {
  const values: Values = { ...(given as Values), mercado: brand.nombre }
  const [head = '', ...parts] = textOf(`${currentLocale()}/${email.kind}`).trim().split('\n\n')
  const [, subject = '', preview = ''] = HEAD.exec(head) ?? []
  const shown = parts.flatMap((part) => {
    const [, name, block] = CONDITION.exec(part) ?? []
    return name && block ? (isThere(values[name]) ? block : []) : part
  })
  const [title, ...body] = lexer(shown.join('\n\n')).filter(({ type }) => type !== 'space')
  const end = body.findIndex(({ type }) => type === 'hr')
  return renderEmail({
    ...email,
    to,
    brand,
    subject: fill(subject, values),
    preview: fill(preview, values),
    title: fill(title && 'text' in title ? title.text : '', values),
    blocks: body.slice(0, end).flatMap((token) => blockOf(token, values) ?? []),
    footer: body.slice(end + 1).map((token) => fill(token.raw, values)),
  })
}

function blockOf(token: Token, values: Values): Block | undefined {
  const filled = (text: string) => fill(text, values)
  if (token.type === 'heading') return { heading: filled(token.text) }
  if (token.type === 'code') return { call: filled(token.text) }
  if (token.type === 'blockquote') {
    const [by = '', quote = ''] = token.text.split('\n')
    return { by: filled(by), quote: filled(quote) }
  }
  if (token.type === 'list') {
    const list: string[] = token.items.flatMap(
      ({ text }: { text: string }) => placeholderValue(text, values) ?? filled(text),
    )
    return list.length > 0 ? { list } : undefined
  }
  if (token.type !== 'paragraph') throw new Error(`Email: ${token.type} is not supported: ${token.raw}`)
  const changes = placeholderValue(token.text, values)
  if (Array.isArray(changes)) return { changes: changes as ChangeRow[] }
  const [inline] = token.tokens ?? []
  if (inline?.type === 'em') return { note: filled(inline.text) }
  if (inline?.type === 'link') return { link: filled(inline.text), url: filled(inline.href) }
  const [link] = inline?.type === 'strong' ? (inline.tokens ?? []) : []
  return link?.type === 'link' ? { button: filled(link.text), url: filled(link.href) } : { words: filled(token.text) }
}

/** The value of a text that is nothing but its placeholder. */
const placeholderValue = (text: string, values: Values): Value => values[ALONE.exec(text)?.[1] ?? '']

const fill = (text: string, values: Values): string =>
  text.replace(PLACEHOLDER, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`Email: {{${name}}} is unknown`)
    return String(values[name] ?? '')
  })
