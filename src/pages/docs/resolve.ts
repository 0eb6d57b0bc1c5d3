import { type Document, nameOf, type Reference } from '../../http/openapi/document.ts'

/** The object itself, or the component that the reference names; a test holds that there is one. */
export function resolve<T extends object>(item: T | Reference, { components }: Document): T {
  if (!('$ref' in item)) return item
  const [, , kind = ''] = item.$ref.split('/')
  return Reflect.get(Reflect.get(components, kind), nameOf(item)) as T
}
