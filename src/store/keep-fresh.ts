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
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  /** Resolves after a read that began after this call. */
  function refresh(): Promise<void> {
    if (running) {
      next ??= running
        .catch(() => undefined)
        .then(() => {
          next = undefined
          return refresh()
        })
      return next
    }
    running = read().finally(() => {
      running = undefined
    })
    return running
  }

  const follow = () => void refresh().catch(() => undefined)
  listener?.on(channel, follow)
  listener?.onGap(follow)
  const timer = setInterval(() => running ?? follow(), everyMs)
  return { refresh, close: () => clearInterval(timer) }
}
