import { coalesce } from '../memoize.ts'
import type { Listener } from './listener.ts'

interface KeepFreshOptions {
  /** Commands run without one. */
  listener?: Pick<Listener, 'on' | 'onGap'> | undefined
  /** The NOTIFY channel of the changes. */
  channel: string
  /** Reads what is stored now. If it fails, it is called again at the interval. */
  read(): Promise<void>
  everyMs: number
}

/**
 * Reads again on NOTIFY, when notifications may have been missed, and at an interval: the pool may reach the database while
 * the listener does not. Reads run one after another, so that an older result never replaces a newer one.
 */
export function keepFresh({ listener, channel, read, everyMs }: KeepFreshOptions) {
  const share = coalesce<void>()
  let reading = 0
  /** Resolves after a read that began after this call. */
  const refresh = async (): Promise<void> => {
    reading++
    await share(channel, read).finally(() => reading--)
  }
  const follow = () => void refresh().catch(() => undefined)
  listener?.on(channel, follow)
  listener?.onGap(follow)
  const timer = setInterval(() => reading === 0 && follow(), everyMs)
  return { refresh, close: () => clearInterval(timer) }
}
