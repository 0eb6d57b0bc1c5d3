import type { ComponentChildren } from 'preact'
import { operationAnchor, webhookAnchor } from '../anchors.ts'
import { chapterHref, type Reader } from './chapter.ts'

/** An operation by what one types: its place in the reference. */
export const Operation = ({ id, children }: { id: string; children: ComponentChildren }) => (
  <Named id={id}>
    <code>{children}</code>
  </Named>
)

/** An operation in words. */
export const Named = ({ id, children }: { id: string; children: ComponentChildren }) => (
  <a href={`/docs#${operationAnchor(id)}`}>{children}</a>
)

/** What an app is told: its body in the reference. */
export const Topic = ({ name }: { name: string }) => (
  <a href={`/docs#${webhookAnchor(name)}`}>
    <code>{name}</code>
  </a>
)

interface ToProps {
  reader: Reader
  slug: string
  place?: string
  children: ComponentChildren
}

/** Another page of the guide, in the same language. */
export const To = ({ reader: { language }, slug, place = '', children }: ToProps) => (
  <a href={chapterHref(slug, language, place)}>{children}</a>
)
