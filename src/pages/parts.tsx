import type { ComponentChildren } from 'preact'
import { SupportContext } from './page.ts'

/** Code as it is typed or received. It may be wider than the screen, so it scrolls by itself, by keyboard too. */
export function Code({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <figure class="code">
      <figcaption>{label}</figcaption>
      <pre tabindex={0}>
        <code>{children}</code>
      </pre>
    </figure>
  )
}

const JSON_TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null|-?\d[\d.eE+-]*)\b/g

interface JsonProps {
  value: unknown
  /** The link of a text, if it has one. */
  hrefOf?: (text: string) => string | undefined
}

/** A value as JSON, its names plain and its values in two colours. */
export function Json({ value, hrefOf }: JsonProps) {
  const text = JSON.stringify(value, null, 2)
  const parts: ComponentChildren[] = []
  let end = 0
  for (const { 0: token, 1: quoted, 2: colon, index } of text.matchAll(JSON_TOKENS)) {
    if (colon) continue
    const href = quoted && hrefOf?.(JSON.parse(quoted))
    const shown = href ? <a href={href}>{token}</a> : token
    parts.push(text.slice(end, index), <span class={quoted ? 'text' : 'value'}>{shown}</span>)
    end = index + token.length
  }
  return [...parts, text.slice(end)]
}

/** A link that looks like a button. */
export const ButtonLink = ({ href, children }: LinkProps) => (
  <a class="button" href={href}>
    {children}
  </a>
)

export const SecondaryLink = ({ href, children }: LinkProps) => (
  <a class="button secondary" href={href}>
    {children}
  </a>
)

interface LinkProps {
  href: string
  children: ComponentChildren
}

interface PostButtonProps {
  action: string
  class?: string
  /** Hidden fields. */
  hidden?: Record<string, string>
  children: ComponentChildren
}

/** A form with one button. */
export const PostButton = ({ action, class: look, hidden = {}, children }: PostButtonProps) => (
  <form method="post" action={action}>
    {Object.entries(hidden).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <button type="submit" class={look}>
      {children}
    </button>
  </form>
)

/** An HTTP status, coloured by its hundreds. */
export const Status = ({ code }: { code: string | number }) => (
  <span class={`badge status-${String(code)[0]}`}>{code}</span>
)

export const Method = ({ name }: { name: string }) => (
  <span class={`badge method method-${name}`}>{name.toUpperCase()}</span>
)

/** A heading that can be pointed at. */
export function Anchored({ id, level, children }: { id: string; level: 2 | 3; children: ComponentChildren }) {
  const Heading = `h${level}` as const
  return (
    <Heading>
      <a class="anchor" href={`#${id}`}>
        {children}
      </a>
    </Heading>
  )
}

/** Customer service, where the operator configured it. */
export const Help = () => (
  <SupportContext.Consumer>
    {({ url, mail }) => {
      const address = mail?.match(/[^\s<>]+@[^\s<>]+/)?.[0]
      if (!url && !address) return <p>Rodado, el mercado de vehículos.</p>
      return (
        <p class="help">
          ¿Necesita ayuda? {url && <a href={url}>Atención al cliente</a>}
          {url && address && ' · '}
          {address && <a href={`mailto:${address}`}>{address}</a>}
        </p>
      )
    }}
  </SupportContext.Consumer>
)

/** A telephone number that can be dialled. */
export const Telephone = ({ number }: { number: string }) => (
  <a href={`tel:${number.replace(/[^\d+]/g, '')}`}>{number}</a>
)

/** Something that was done, or that should be known before doing something. */
export const Notice = ({ children }: { children: ComponentChildren }) => (
  <div class="notice" role="status">
    {children}
  </div>
)

interface CopyProps {
  /** The id of the element whose text is copied. */
  of: string
  /** What that is, for screen readers. */
  what: string
}

/** Copies something of the page; there only where the page runs scripts. */
const Copy = ({ of, what }: CopyProps) => (
  <button type="button" class="secondary small copy" data-copy={of}>
    <span aria-live="polite">Copiar</span>
    <span class="visually-hidden"> {what}</span>
  </button>
)

/** A value to be copied whole: a key, an id. */
export const Copyable = ({ id, what, children }: { id: string; what: string; children: string }) => (
  <span class="copyable">
    <code id={id} class="select-all">
      {children}
    </code>
    <Copy of={id} what={what} />
  </span>
)

interface CopyCodeProps {
  id: string
  label: ComponentChildren
  /** What it is, for the button. */
  what: string
  /** Long: it scrolls within the page. */
  tall?: boolean
  children: ComponentChildren
}

/** Code to be copied. It may be wider than the screen, so it scrolls by itself, by keyboard too. */
export const CopyCode = ({ id, label, what, tall = false, children }: CopyCodeProps) => (
  <figure class={tall ? 'code tall' : 'code'}>
    <figcaption class="with-copy">
      <span>{label}</span>
      <Copy of={id} what={what} />
    </figcaption>
    <pre tabindex={0}>
      <code id={id}>{children}</code>
    </pre>
  </figure>
)

interface SectionProps {
  id?: string
  title: string
  children: ComponentChildren
}

/** A part of a page, under its heading. */
export const Section = ({ id, title, children }: SectionProps) => (
  <section id={id}>
    <h2>{title}</h2>
    {children}
  </section>
)

export type Fact = readonly [label: string, value: ComponentChildren]

/** Facts by label; those without a value are left out. */
export const Facts = ({ rows }: { rows: readonly Fact[] }) => (
  <dl class="data">
    {rows
      .filter(([, value]) => value)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

interface SecretProps {
  label: string
  value: string
  /** What to do with it. */
  children?: ComponentChildren
}

/** A secret, on the one page that ever shows it; a click selects all of it, and where scripts run a button copies it. */
export const Secret = ({ label, value, children }: SecretProps) => (
  <div class="shown-once limited" role="status">
    <p>
      <strong>{label}</strong>
    </p>
    <p>
      <Copyable id="secreto" what={label}>
        {value}
      </Copyable>
    </p>
    <p class="hint">{children ?? 'Guárdela ahora en un lugar seguro: no se vuelve a mostrar.'}</p>
  </div>
)
