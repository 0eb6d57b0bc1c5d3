import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Store } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'

/** What reading inquiries and working on them stands on, whether a route, a page or a command asks. */
export interface ConsultasDeps {
  store: Store
  seal: Seal
  clock: Clock
  config: Pick<Config, 'publicUrl' | 'timeZone' | 'country'>
}
