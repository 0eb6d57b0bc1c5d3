import type { Matcher } from '../../catalogue/match/matcher.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Store } from '../../store/db.ts'

/** What the acts of this trade stand on, whether a route, a page or a command calls them. */
export interface PublicacionesDeps {
  store: Store
  matcher: Matcher
  clock: Clock
  config: Pick<Config, 'timeZone'>
}
