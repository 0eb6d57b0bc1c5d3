import { type Components, type Document, operationsOf, type PathItem } from './document.ts'

/** Who calls: partner apps, or the marketplace's own site. */
export type ApiAudience = 'partners' | 'site'

const SITE_INFO = {
  title: 'API del sitio del mercado',
  description: 'Lo que el sitio del propio mercado entrega y lee, con su SitioKey. No es para apps asociadas.',
}

/** The part of the document for an audience: its paths, the tags in the order of their names, and what they refer to. */
export function documentFor(audience: ApiAudience, whole: Document): Document {
  const isSite = audience === 'site'
  const { webhooks: topics = {}, paths, tags, components, ...rest } = whole
  const webhooks = isSite ? {} : topics
  const own = Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith('/interno') === isSite))
  const operations = operationsOf({ ...own, ...webhooks }).map(({ operation }) => operation)
  const used = new Set(operations.flatMap((operation) => operation.tags))
  const schemes = Object.entries(components.securitySchemes ?? {}).filter(([name]) => (name === 'SitioKey') === isSite)
  return {
    ...rest,
    ...(isSite && { info: { ...rest.info, ...SITE_INFO }, security: [{ SitioKey: [] }] }),
    tags: tags.filter(({ name }) => used.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1)),
    paths: own,
    ...(!isSite && {
      webhooks: Object.fromEntries(Object.entries(webhooks).map(([topic, item]) => [topic, refTo(item)])),
    }),
    components: {
      ...referredBy(operations, components),
      ...(!isSite && { pathItems: Object.fromEntries(Object.values(webhooks).map((item) => [nameOf(item), item])) }),
      securitySchemes: Object.fromEntries(schemes),
    },
  }
}

/** openapi-generator makes code that does not compile of webhooks that are not references. */
const refTo = (item: PathItem) => ({ $ref: `#/components/pathItems/${nameOf(item)}` })

const nameOf = ({ post }: PathItem): string => post?.operationId ?? ''

/** The components that a part refers to, directly or not. */
function referredBy(part: unknown, components: Components): Components {
  const found = new Set<string>()
  const collect = (each: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(each).matchAll(/#\/components\/(\w+)\/([^"]+)/g)) {
      if (found.has(`${kind}/${name}`)) continue
      found.add(`${kind}/${name}`)
      collect(componentsOf(components, kind)[name])
    }
  }
  collect(part)
  return Object.fromEntries(
    Object.keys(components).map((kind) => [
      kind,
      Object.fromEntries(
        Object.entries(componentsOf(components, kind)).filter(([name]) => found.has(`${kind}/${name}`)),
      ),
    ]),
  ) as object as Components
}

const componentsOf = (components: Components, kind: string): Record<string, unknown> =>
  Reflect.get(components, kind) ?? {}
