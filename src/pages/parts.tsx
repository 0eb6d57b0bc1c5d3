import type { ComponentChildren, VNode } from 'preact'
import { useContext } from 'preact/hooks'
import { t } from '../i18n/messages.tsx'
import { Acts, Hidden } from './fields.tsx'
import { Icon, type IconName } from './icon.tsx'
import { BrandContext } from './page.ts'

const JSON_TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null|-?\d[\d.eE+-]*)\b/g

/** A value as JSON, its names plain and its values in two colours. */
export function Json({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2)
  const parts: ComponentChildren[] = []
  let end = 0
  for (const { 0: token, 1: quoted, 2: colon, index } of text.matchAll(JSON_TOKENS)) {
    if (colon) continue
    parts.push(text.slice(end, index), <span class={quoted ? 'text' : 'value'}>{token}</span>)
    end = index + token.length
  }
  return [...parts, text.slice(end)]
}

interface JsonNode {
  value: unknown
  hrefOf?: ((text: string) => string | undefined) | undefined
}

/** Deeper parts do not fold: a page must not become as deep as what strangers send. */
const MAX_FOLDS = 20
const INDENT = '  '

/** A value as JSON, whose objects and lists fold. Each line ends within its block, so that it can be copied as it is. */
export const FoldingJson = ({ value, hrefOf }: JsonNode) => (
  <Folding value={value} hrefOf={hrefOf} indent="" lead="" tail="" />
)

function Folding({ value, hrefOf, indent, lead, tail }: JsonNode & Record<'indent' | 'lead' | 'tail', string>) {
  const isList = Array.isArray(value)
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const end = indent === '' ? tail : `${tail}\n`
  if (entries.length === 0 || indent.length > MAX_FOLDS * INDENT.length) {
    const text = JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)
    const href = typeof value === 'string' ? hrefOf?.(value) : undefined
    return (
      <>
        {indent}
        {lead}
        <span class={typeof value === 'string' ? 'text' : 'value'}>{href ? <a href={href}>{text}</a> : text}</span>
        {end}
      </>
    )
  }
  const [open, close] = isList ? '[]' : '{}'
  const inner = entries.map(([name, each], at) => (
    <Folding
      key={name}
      value={each}
      hrefOf={hrefOf}
      indent={indent + INDENT}
      lead={isList ? '' : `${JSON.stringify(name)}: `}
      tail={at === entries.length - 1 ? '' : ','}
    />
  ))
  return indent === '' ? (
    <>
      {open}
      {'\n'}
      {inner}
      {close}
    </>
  ) : (
    <details class="json" open>
      <summary>
        {indent}
        <span class={isList ? 'list' : undefined}>
          {lead}
          {open}
        </span>
        {'\n'}
      </summary>
      {inner}
      {indent}
      {close}
      {end}
    </details>
  )
}

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
  hidden?: Record<string, string>
  children: ComponentChildren
}

export const PostButton = ({ action, class: look, hidden = {}, children }: PostButtonProps) => (
  <Acts>
    <form method="post" action={action}>
      <Hidden values={hidden} />
      <button type="submit" class={look}>
        {children}
      </button>
    </form>
  </Acts>
)

/** An HTTP status, coloured by its hundreds. */
export const Status = ({ code }: { code: string | number }) => (
  <span class={`badge status-${String(code)[0]}`}>{code}</span>
)

export const Method = ({ name }: { name: string }) => (
  <span class={`badge method method-${name}`}>{name.toUpperCase()}</span>
)

/** A heading with a link to itself. */
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
export function Help({ orElse = null }: { orElse?: VNode | null }) {
  const { support } = useContext(BrandContext)
  const { url, mail } = support
  const address = mail?.match(/[^\s<>]+@[^\s<>]+/)?.[0]
  if (!url && !address) return orElse
  return (
    <p class="help">
      {t('comun.help.question')} {url && <a href={url}>{t('comun.help.support')}</a>}
      {url && address && ' · '}
      {address && <a href={`mailto:${address}`}>{address}</a>}
    </p>
  )
}

export const Telephone = ({ number }: { number: string }) => (
  <a href={`tel:${number.replace(/[^\d+]/g, '')}`}>{number}</a>
)

/** Says what was done, or warns before an act. */
export const Notice = ({ children }: { children: ComponentChildren }) => (
  <div class="notice" role="status">
    <Icon name="info" />
    <div>{children}</div>
  </div>
)

/** Opens a part that is folded away on small screens (`fold-sheet` in the stylesheet): a popover, which needs no script. */
export const OpenFold = ({ of, icon, label }: { of: string; icon: IconName; label: string }) => (
  <button type="button" class="secondary small fold" popovertarget={of}>
    <Icon name={icon} />
    {label}
  </button>
)

/** Closes it, for touch screens and screen readers; elsewhere Escape does. */
export const CloseFold = ({ of }: { of: string }) => (
  <button type="button" class="secondary small unfold" popovertarget={of} popovertargetaction="hide">
    <Icon name="x" />
    {t('comun.shell.close')}
  </button>
)

/** Copies the text of the element `of`, or the items of a list, one on each line. Shown only where the page runs scripts. */
export const Copy = ({ of, what }: { of: string; what: string }) => (
  <button
    type="button"
    class="secondary small copy"
    data-copy={of}
    data-copied={t('comun.copied')}
    data-by-hand={t('comun.copyByHand')}
  >
    <Icon name="copy" />
    <span aria-live="polite">{t('comun.copy')}</span>
    <span class="visually-hidden"> {what}</span>
  </button>
)

export const Print = () => (
  <button type="button" class="secondary small copy" data-print>
    <Icon name="printer" />
    {t('comun.print')}
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

interface CodeProps {
  label: ComponentChildren
  children: ComponentChildren
}

/** Code as it is typed or received. It may be wider than the screen, so it scrolls by itself, by keyboard too. */
export const Code = ({ label, children }: CodeProps) => (
  <figure class="code">
    <figcaption>{label}</figcaption>
    <pre tabindex={0}>
      <code>{children}</code>
    </pre>
  </figure>
)

/** Code to be copied; `what` is for the button. A `tall` one scrolls within the page. */
export const CopyCode = ({
  id,
  label,
  what,
  tall,
  children,
}: CodeProps & { id: string; what: string; tall?: boolean }) => (
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

interface SegmentsProps {
  label: string
  items: readonly { label: string; href: string; isChosen: boolean }[]
}

/** Links of which one is chosen, in one line. */
export const Segments = ({ label, items }: SegmentsProps) => (
  <nav class="segments" aria-label={label}>
    {items.map((item) => (
      <a key={item.label} href={item.href} aria-current={item.isChosen ? 'true' : undefined}>
        {item.label}
      </a>
    ))}
  </nav>
)

interface SectionProps {
  id?: string
  title: string
  children: ComponentChildren
}

export const Section = ({ id, title, children }: SectionProps) => (
  <section id={id}>
    <h2>{title}</h2>
    {children}
  </section>
)

interface NamedRowProps {
  name: string
  hint: ComponentChildren
  badge?: string
  children?: ComponentChildren
}

/** A person in a list of them, and what can be done about them. */
export const NamedRow = ({ name, hint, badge, children }: NamedRowProps) => (
  <li>
    <span>
      <strong>{name}</strong>
      <span class="hint">{hint}</span>
    </span>
    {badge && <span class="badge">{badge}</span>}
    {children}
  </li>
)

interface CardsProps<Row> {
  rows: readonly Row[]
  class?: string
  children: (row: Row) => ComponentChildren
}

/** Rows as cards, which fit a telephone. */
export const Cards = <Row,>({ rows, children, ...props }: CardsProps<Row>) => (
  <ul class={props.class ?? 'cards'}>
    {rows.map((row) => (
      <li class="card">{children(row)}</li>
    ))}
  </ul>
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

/** A secret, on the one page that ever shows it, and what to do with it; a click selects it, and a button copies it. */
export const Secret = ({ label, value, children }: { label: string; value: string; children?: ComponentChildren }) => (
  <div class="shown-once limited" role="status">
    <p>
      <strong>{label}</strong>
    </p>
    <p>
      <Copyable id="secreto" what={label}>
        {value}
      </Copyable>
    </p>
    <p class="hint">{children ?? t('comun.secret.keep')}</p>
  </div>
)
