import type { ComponentChildren } from 'preact'
import { operationAnchor, webhookAnchor } from '../anchors.ts'
import { chapterHref, type Reader } from './chapter.ts'

/** A link to an operation, shown as method and path. */
export const Operation = ({ id, children }: { id: string; children: ComponentChildren }) => (
  <Named id={id}>
    <code>{children}</code>
  </Named>
)

/** A link to an operation, shown as text. */
export const Named = ({ id, children }: { id: string; children: ComponentChildren }) => (
  <a href={`/docs#${operationAnchor(id)}`}>{children}</a>
)

/** A link to a topic in the reference. */
export const Topic = ({ name }: { name: string }) => (
  <a href={`/docs#${webhookAnchor(name)}`}>
    <code>{name}</code>
  </a>
)

interface ToProps {
  reader: Reader
  slug: string
  entry?: string
  children: ComponentChildren
}

/** A link to another chapter. */
export const To = ({ reader: { language }, slug, entry = '', children }: ToProps) => (
  <a href={chapterHref(slug, language, entry)}>{children}</a>
)
