import { start } from '../main.ts'
import type { Command } from './command.ts'
import { parse } from './command.ts'

const DRAIN_MS = 10_000 // SIGTERM to the end; past it an orchestrator would kill us anyway

/** Runs the server until it is told to stop, then lets what runs finish. */
export const serve: Command = {
  usage: 'Usage: rodado serve',

  async run(argv, { config, err }) {
    parse(argv, {})
    const running = await start(config)
    if (process.stdout.isTTY)
      err.write(`\n  Rodado is ready at ${config.publicUrl}   (docs: ${config.publicUrl}/docs)\n\n`)
    if (running.firstVisit) err.write(welcome(running.firstVisit))
    const signal = await stopSignal()
    err.write(`rodado: ${signal}: finishing what runs …\n`)
    const late = setTimeout(() => {
      err.write('rodado: not everything finished in time; ending now.\n')
      process.exit(1)
    }, DRAIN_MS).unref()
    await running.stop()
    clearTimeout(late)
    return 0
  },
}

/** To the person who watches the first start, and not to the log: whoever opens the link runs the marketplace. */
const welcome = (link: string): string =>
  `\n  Nobody of the staff has an account yet. Make the first one here (good once, for 24 hours):\n\n  ${link}\n\n`

/** The first signal asks; a second one, from an impatient hand, ends the process as it would any other. */
function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
  })
}
