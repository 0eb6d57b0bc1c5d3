import { type ComponentChildren, isValidElement, type VNode } from 'preact'

type Component = (props: object) => ComponentChildren

/**
 * A page, or a part of one, as it is sent. Components here are functions of what they are given, with no state and no
 * effects, and attributes are called as in HTML: what a renderer for browsers does beyond that was half of a long table.
 */
export function markup(node: ComponentChildren): string {
  if (typeof node === 'string') return escaped(node)
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (typeof node !== 'object') return String(node)
  if (Array.isArray(node)) return listed(node)
  if (node instanceof Written) return node.html
  if (!isValidElement(node)) return '' // what came from outside is never taken for markup
  const { type, props } = node as VNode<Attributes>
  return typeof type === 'string' ? element(type, props) : markup((type as Component)(props))
}

/** What is the same on every page that has it, written once and put there as it is. */
export const written = (node: ComponentChildren): VNode => new Written(markup(node)) as unknown as VNode

class Written {
  readonly html: string
  constructor(html: string) {
    this.html = html
  }
}

function listed(nodes: ComponentChildren[]): string {
  let all = ''
  for (const node of nodes) all += markup(node)
  return all
}

interface Attributes {
  children?: ComponentChildren
  dangerouslySetInnerHTML?: { __html: string }
  [name: string]: unknown
}

/** They hold nothing and have no end (HTML, 13.1.2). */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

function element(type: string, props: Attributes): string {
  let start = `<${type}`
  for (const name in props) {
    const value = props[name]
    if (name === 'children' || name === 'dangerouslySetInnerHTML' || value === null || value === undefined) continue
    if (typeof value === 'boolean' && !saysFalse(name)) start += value ? ` ${name}` : ''
    else start += ` ${name}="${escaped(String(value))}"`
  }
  if (VOID.has(type)) return `${start}>`
  return `${start}>${props.dangerouslySetInnerHTML?.__html ?? markup(props.children)}</${type}>`
}

/** `aria-…`, `data-…` and one of HTML's own are told by a word; others by being there or not. */
const saysFalse = (name: string): boolean => name[4] === '-' || name === 'spellcheck'

const SPECIAL = /["&<]/

function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
