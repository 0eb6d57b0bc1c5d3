import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Store } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'

export interface ConsultasDeps {
  store: Store
  seal: Seal
  clock: Clock
  config: Pick<Config, 'publicUrl' | 'timeZone' | 'country' | 'brand'>
}
