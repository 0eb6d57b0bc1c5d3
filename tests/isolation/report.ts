// The isolation matrix as figures, and how long refusals take: `npm run isolation`, `npm run isolation -- --rounds 300 --json`.
import { parseArgs } from 'node:util'
import { type Cleanup, runWithCleanup } from '../../drills/cleanup.ts'
import { aligned } from '../../drills/table.ts'
import { startOwnPostgres, stopAtCleanup } from '../support/own-postgres.ts'
import { openMatrix } from './fixture.ts'
import { CHECKS } from './matrix.ts'
import { type Timing, timeRefusals, unlikeIn } from './timing.ts'

/** The normal approximation of its test is close from twenty on. */
const FEWEST_ROUNDS = 20
const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '60' } },
})
/** How often each refusal is timed. */
const rounds = Number(values.rounds)
if (!Number.isSafeInteger(rounds) || rounds < FEWEST_ROUNDS) {
  process.stderr.write(`--rounds must be a whole number from ${FEWEST_ROUNDS}.\n`)
  process.exit(2)
}
/** With --json standard output is for the last line alone. */
const say = values.json ? console.error : console.log
/** A p below this, in one of many cells, is still chance now and then. */
const TELLING = 0.001

/** A table for each of those who ask, a line for each route. */
function timesIn(timing: Timing[]): string[] {
  const told = timing.filter(({ p }) => p < TELLING).length
  const rows = [...new Set(timing.map(({ who }) => who))].flatMap((who) => [
    [`\n${who}`, 'another’s', 'not there', 'longer', 'p'],
    ...timing
      .filter((each) => each.who === who)
      .map(({ route, medianForeignMs: foreign, medianAbsentMs: absent, p }) => [
        ...[`  ${route}`, `${foreign.toFixed(2)} ms`, `${absent.toFixed(2)} ms`],
        ...[`${(foreign - absent).toFixed(2)} ms`, `${p.toFixed(3)}${p < TELLING ? ' *' : ''}`],
      ]),
  ])
  const words = `${timing.length} comparisons of ${rounds} times each; ${told} with p below ${TELLING} (reported, not judged)`
  return [aligned(rows), '', words]
}

async function main({ defer, isCleaningUp }: Cleanup): Promise<number> {
  await startOwnPostgres(defer, 'isolation')
  const stage = await stopAtCleanup(defer, openMatrix(), ({ server }) => server.stop())
  let [requests, serverErrors] = [0, 0]
  stage.server.app.server.on('request', (_request, response) => {
    requests++
    response.once('finish', () => void (response.statusCode >= 500 && serverErrors++))
  })
  say(`${CHECKS.length} promises are looked at …`)
  const failed: string[] = []
  for (const { title, run } of CHECKS) {
    await run(stage).catch((error: Error) => failed.push(`${title}\n  ${error.message.slice(0, 600)}`))
    if (isCleaningUp()) return 1 // it was interrupted, and shows nothing
  }
  for (const each of failed) say(`failed: ${each}`)
  const foreign = failed.filter((each) => each.includes('tells of what is not its own')).length
  say(`${CHECKS.length} promises, ${failed.length} broken\n`)
  const timing = await timeRefusals(stage, rounds, () => !isCleaningUp())
  if (isCleaningUp()) return 1
  say('How much longer a refusal takes of what is another’s than of what is not there (how likely that is chance).')
  for (const line of timesIn(timing)) say(line)
  const unlike = unlikeIn(timing)
  for (const each of unlike) say(`failed: timed what is not alike: ${each}`)
  if (serverErrors > 0) say(`failed: ${serverErrors} answers of 500 and above`)
  const faults = failed.length + unlike.length
  if (values.json) console.log(JSON.stringify({ requests, faults, foreign, serverErrors, timing }))
  return faults + serverErrors > 0 ? 1 : 0
}

await runWithCleanup(main)
