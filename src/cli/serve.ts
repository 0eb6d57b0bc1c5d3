import { FLAG, onStopSignal } from '@rodado/cli'
import { start } from '../main.ts'
import { defineCommand, onParentExit } from './command.ts'

const DRAIN_MS = 10_000 // after SIGTERM; an orchestrator would kill the process then anyway

/** Runs the server until it is stopped, then finishes requests in progress. */
export const run = defineCommand('', { 'with-parent': FLAG }, async (values, { config, err }) => {
  const stopRequested = untilStopSignal(err, values['with-parent']) // also during start-up, or PostgreSQL would be left running
  const running = await start(config)
  if (process.stdout.isTTY)
    err.write(`\n  Rodado is ready at ${config.publicUrl}   (docs: ${config.publicUrl}/docs)\n\n`)
  if (running.firstStaffUrl) err.write(welcome(running.firstStaffUrl))
  const drainTimer = await stopRequested
  await running.stop()
  clearTimeout(drainTimer)
  return 0
})

/** Printed on the terminal and not logged: the link gives control of the marketplace. */
const welcome = (link: string): string =>
  `\n  There is no staff account yet. Create the first one here (link works once, for 24 hours):\n\n  ${link}\n\n`

/** Resolves on a stop signal, with the timer that ends the process if draining takes too long. */
const untilStopSignal = (err: NodeJS.WritableStream, withParent = false): Promise<NodeJS.Timeout> =>
  new Promise((resolve) => {
    let stopping = false
    const stop = (reason: string) => {
      if (stopping) return
      stopping = true
      err.write(`rodado: ${reason}: finishing requests in progress …\n`)
      const giveUp = () => {
        err.write('rodado: not everything finished in time; ending now.\n')
        process.exit(1)
      }
      resolve(setTimeout(giveUp, DRAIN_MS).unref())
    }
    onStopSignal(stop)
    if (withParent) onParentExit(() => stop('the parent process has ended'))
  })
