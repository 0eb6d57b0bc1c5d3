import type { ComponentChildren } from 'preact'
import { type Document, operationsOf } from '../../http/openapi/document.ts'
import { t } from '../../i18n/messages.tsx'
import { Hidden } from '../fields.tsx'
import { CloseFold, Method, OpenFold, Section } from '../parts.tsx'
import { addressLocale, publicHref } from '../public-href.ts'
import { operationAnchor, tagAnchor, webhookAnchor } from './anchors.ts'

type Link = readonly [href: string, label: ComponentChildren]

interface LinkListProps {
  links: readonly Link[]
  current?: string | undefined
  class?: string
  'aria-label'?: string
}

export const LinkList = ({ links, current, ...attributes }: LinkListProps) => (
  <ul {...attributes}>
    {links.map(([href, label]) => (
      <li key={href}>
        <a href={publicHref(href)} aria-current={href === current ? 'true' : undefined}>
          {label}
        </a>
      </li>
    ))}
  </ul>
)

export function Contents({ document: { paths, tags, webhooks = {} } }: { document: Document }) {
  const operations = operationsOf(paths)
  const chapters: [href: string, title: string, links: Link[]][] = [
    [
      '/docs/guia',
      t('docs.more.guide'),
      [link('firmar', t('docs.contents.sign')), link('convenciones', t('docs.contents.conventions'))],
    ],
    ...tags.map(({ name, 'x-displayName': title }): (typeof chapters)[number] => {
      const own = operations.filter(({ operation }) => operation.tags[0] === name)
      return [`#${tagAnchor(name)}`, title, own.map(operationLink)]
    }),
    ['#webhooks', t('docs.contents.webhooks'), Object.keys(webhooks).map((topic) => link(webhookAnchor(topic), topic))],
  ]
  return (
    <Aside>
      <nav class="contents" aria-label={t('docs.contents.reference')}>
        {chapters
          .filter(([, , links]) => links.length > 0)
          .map(([href, title, links]) => (
            <div key={href}>
              <a class="chapter" href={publicHref(href)}>
                {title}
              </a>
              <LinkList links={links} />
            </div>
          ))}
        <LinkList
          links={[link('problemas', t('comun.shell.problems')), link('esquemas', t('docs.contents.schemas'))]}
        />
        <MoreDocs of="/docs" />
      </nav>
    </Aside>
  )
}

/** The parts of the documentation. */
export const partsOfDocs = (): readonly (readonly [href: string, label: string])[] => [
  ['/docs/guia', t('docs.more.guide')],
  ['/docs', t('docs.more.reference')],
  ['/problemas', t('docs.more.problems')],
  ['/docs/cambios', t('docs.more.changes')],
  ['/estado', t('docs.more.status')],
]

/** The parts of the documentation other than `of`, whose menu this ends. */
export const MoreDocs = ({ of, current }: { of: string; current?: string | undefined }) => (
  <LinkList class="more-docs" links={partsOfDocs().filter(([href]) => href !== of)} current={current} />
)

/** The parts of the documentation on the portal's first page, which has no menu. */
export const DocsLinks = () => (
  <Section title={t('docs.more.title')}>
    <LinkList class="docs-links" links={partsOfDocs()} />
  </Section>
)

const link = (id: string, label: ComponentChildren): Link => [`#${id}`, label]

const operationLink = ({ method, operation }: ReturnType<typeof operationsOf>[number]): Link =>
  link(
    operationAnchor(operation.operationId),
    <>
      <Method name={method} />
      <span>{operation.summary}</span>
    </>,
  )

/** Search and contents: beside the text, or on a telephone a sheet that a button at its lower edge opens. */
export const Aside = ({
  hasSearch = true,
  children,
}: {
  hasSearch?: boolean | undefined
  children: ComponentChildren
}) => (
  <aside class="aside" aria-label={t('docs.contents')}>
    <OpenFold of="indice" icon="menu" label={t('docs.contents')} />
    <div id="indice" class="fold-sheet" popover="auto">
      <CloseFold of="indice" />
      {hasSearch && <DocsSearchForm />}
      <div class="docs-menu">{children}</div>
    </div>
  </aside>
)

export const DocsSearchForm = ({ query }: { query?: string }) => (
  <search>
    <form class="docs-search" action="/docs/buscar">
      <Hidden values={{ idioma: addressLocale() }} />
      <input
        type="search"
        name="q"
        value={query}
        aria-label={t('docs.search.title')}
        placeholder={t('comun.list.search')}
        autocomplete="off"
        aria-keyshortcuts="/"
      />
      <div class="docs-found" hidden />
    </form>
  </search>
)
