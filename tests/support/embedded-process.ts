// Holds the embedded store until stopped: `embedded-process.ts <dataDir> serve|command`.
import { startEmbedded } from '../../src/store/embedded/start.ts'

const [dataDir = '', purpose] = process.argv.slice(2)
const say = (words: object) => process.stdout.write(`${JSON.stringify(words)}\n`)
const write = (fields: object, message?: string) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
const log = { info: write, warn: write, error: write }

try {
  const { connection, pid, owner, stop } = await startEmbedded({
    dataDir,
    log,
    purpose: purpose === 'serve' ? 'serve' : 'command',
  })
  process.once('SIGTERM', () => stop())
  say({ connection, pid, owner })
} catch (error) {
  say({ refused: (error as Error).message })
  process.exitCode = 1
}
