import { execFile } from 'node:child_process'
import type { Config } from '../config.ts'

/** How often within the watchdog's interval: a busy machine may delay one or two. */
const PINGS_PER_INTERVAL = 3

/** Reports to systemd through `systemd-notify`, because Node cannot send to a datagram socket of the file system. */
export function openSystemd({ notify, watchdogMs }: Config['systemd'], err: NodeJS.WritableStream) {
  const send = (...states: string[]): void => {
    if (!notify) return
    execFile('systemd-notify', states, (error) => {
      if (error) err.write(`rodado: systemd was not notified (${states.join(' ')}): ${error.message}\n`)
    })
  }
  return {
    /** Start-up is complete. From now on a process whose event loop hangs is restarted. */
    ready(status: string): void {
      send('READY=1', `STATUS=${status}`)
      if (watchdogMs > 0) setInterval(() => send('WATCHDOG=1'), watchdogMs / PINGS_PER_INTERVAL).unref()
    },
    stopping: (): void => send('STOPPING=1', 'STATUS=Finishing requests in progress'),
  }
}
