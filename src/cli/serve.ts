import { execFile } from 'node:child_process'
import { FLAG, onStopSignal } from '@rodado/cli'
import type { Config } from '../config.ts'
import { start } from '../main.ts'
import { defineCommand, onParentExit } from './command.ts'
import { showFirstStaffLink } from './first-staff-link.ts'

const FINISH_MS = 10_000 // after DRAIN_SECONDS; an orchestrator would kill the process then anyway

/** Runs the server until it is stopped; drains on SIGTERM, then finishes requests in progress. */
export const run = defineCommand('', { 'with-parent': FLAG }, async (values, { config, err }) => {
  const drainMs = config.drainSeconds * 1_000
  const stopRequested = untilStopSignal(err, drainMs, values['with-parent']) // also during start-up, or PostgreSQL would be left running
  const systemd = openSystemd(config.systemd, err)
  const running = await start(config)
  systemd.ready(`Serving ${config.publicUrl}`)
  if (process.stdout.isTTY)
    err.write(`\n  Rodado is ready at ${config.publicUrl}   (docs: ${config.publicUrl}/docs)\n\n`)
  await showFirstStaffLink(config, running.firstStaffUrl, err)
  const drains = await stopRequested
  systemd.stopping()
  if (drains) await running.drain()
  await running.stop()
  return 0
})

/**
 * Resolves when the server is to stop: to true if it drains first, which is only after SIGTERM, because a person at the
 * terminal does not wait for a balancer. A timer then ends the process, because connections to a frozen database would keep it
 * alive.
 */
const untilStopSignal = (err: NodeJS.WritableStream, drainMs: number, withParent = false): Promise<boolean> =>
  new Promise((resolve) => {
    let stopping = false
    const stop = (reason: string) => {
      if (stopping) return
      stopping = true
      const drains = reason === 'SIGTERM'
      err.write(`rodado: ${reason}: finishing requests in progress …\n`)
      const giveUp = () => {
        err.write('rodado: not everything finished in time; ending now.\n')
        process.exit(1)
      }
      setTimeout(giveUp, (drains ? drainMs : 0) + FINISH_MS).unref()
      resolve(drains)
    }
    onStopSignal(stop)
    if (withParent) onParentExit(() => stop('the parent process has ended'))
  })

/** How often within the watchdog's interval: a busy machine may delay one or two. */
const PINGS_PER_INTERVAL = 3

/** Reports to systemd through `systemd-notify`, because Node cannot send to a datagram socket of the file system. */
function openSystemd({ notify, watchdogMs }: Config['systemd'], err: NodeJS.WritableStream) {
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
