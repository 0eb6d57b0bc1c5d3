import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Store } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'
import type { CallbackConfig } from '../../webhooks/target.ts'

/** What the acts of this trade stand on. */
export interface NotificacionesDeps {
  store: Store
  seal: Seal
  clock: Clock
  config: Pick<Config, 'timeZone'> & CallbackConfig
}
