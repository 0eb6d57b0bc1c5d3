import { start } from '../main.ts'
import type { Command } from './command.ts'
import { parse } from './command.ts'
import { onParentExit, onStopSignal } from './stop-signal.ts'

const OPTIONS = { 'with-parent': { type: 'boolean' } } as const
const DRAIN_MS = 10_000 // SIGTERM to the end; past it an orchestrator would kill us anyway

/** Runs the server until it is told to stop, then lets what runs finish. */
export const serve: Command = {
  usage: `Usage: rodado serve [--with-parent]

  --with-parent   also stop when the process that started it ends (npm start: npm passes on SIGTERM and SIGINT only)`,

  async run(argv, { config, err }) {
    const { values } = parse(argv, OPTIONS)
    const asked = untilStopSignal(err, values['with-parent']) // also while it starts: PostgreSQL would be left running
    const running = await start(config)
    if (process.stdout.isTTY)
      err.write(`\n  Rodado is ready at ${config.publicUrl}   (docs: ${config.publicUrl}/docs)\n\n`)
    if (running.firstVisit) err.write(welcome(running.firstVisit))
    const late = await asked
    await running.stop()
    clearTimeout(late)
    return 0
  },
}

/** To the person who watches the first start, and not to the log: whoever opens the link runs the marketplace. */
const welcome = (link: string): string =>
  `\n  Nobody of the staff has an account yet. Make the first one here (good once, for 24 hours):\n\n  ${link}\n\n`

/** Resolves when somebody wants it to end, with the timer that ends it all the same if it takes too long. */
const untilStopSignal = (err: NodeJS.WritableStream, withParent = false): Promise<NodeJS.Timeout> =>
  new Promise((resolve) => {
    let stopping = false
    const stop = (reason: string) => {
      if (stopping) return
      stopping = true
      err.write(`rodado: ${reason}: finishing what runs …\n`)
      const giveUp = () => {
        err.write('rodado: not everything finished in time; ending now.\n')
        process.exit(1)
      }
      resolve(setTimeout(giveUp, DRAIN_MS).unref())
    }
    onStopSignal(stop)
    if (withParent) onParentExit(() => stop('the parent process has ended'))
  })
