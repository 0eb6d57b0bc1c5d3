import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Catalogue } from '../load.ts'
import type { Matcher } from './matcher.ts'

/** Names nothing, and so is looked for in every index, down to the last resort. */
const NO_NAME = 'qzxwk jvyqz'

/** Builds every index of a matcher, one at a time, so that no request waits for one to be built. */
export async function warmUp(matcher: Matcher, { regiones, marcas, versiones }: Catalogue): Promise<void> {
  for (const match of [matcher.region, matcher.make, matcher.bodystyle, matcher.colour]) match(NO_NAME)
  for (const { nombre } of regiones) {
    await nextTurn()
    matcher.city({ state: nombre, city: NO_NAME })
  }
  for (const marca of marcas) {
    await nextTurn()
    matcher.modelOf(marca, NO_NAME)
  }
  const [version] = versiones
  if (version) matcher.versionOf(version.modelo, { trim: NO_NAME })
}
