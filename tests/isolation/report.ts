// Counts the isolation matrix and times refusals: `npm run isolation`, `npm run isolation -- --rounds 300 --json`.
import { parseArgs } from 'node:util'
import { type Cleanup, runWithCleanup } from '../../drills/cleanup.ts'
import { aligned } from '../../drills/table.ts'
import { startOwnPostgres, stopAtCleanup } from '../support/own-postgres.ts'
import { openMatrix } from './fixture.ts'
import { CHECKS } from './matrix.ts'
import { type Timing, timeRefusals, unlikeIn } from './timing.ts'

/** The normal approximation of the test needs at least twenty. */
const MIN_ROUNDS = 20
const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '60' } },
})
/** How often each refusal is timed. */
const rounds = Number(values.rounds)
if (!Number.isSafeInteger(rounds) || rounds < MIN_ROUNDS) {
  process.stderr.write(`--rounds must be a whole number from ${MIN_ROUNDS}.\n`)
  process.exit(2)
}
/** With --json, standard output holds only the last line. */
const say = values.json ? console.error : console.log
/** In so many cells, a p below this still occurs by chance. */
const SIGNIFICANT = 0.001

/** A table for each caller, with a row for each route. */
function timesIn(timing: Timing[]): string[] {
  const significant = timing.filter(({ p }) => p < SIGNIFICANT).length
  const rows = [...new Set(timing.map(({ who }) => who))].flatMap((who) => [
    [`\n${who}`, 'another’s', 'not there', 'longer', 'p'],
    ...timing
      .filter((each) => each.who === who)
      .map(({ route, medianForeignMs: foreign, medianAbsentMs: absent, p }) => [
        `  ${route}`,
        `${foreign.toFixed(2)} ms`,
        `${absent.toFixed(2)} ms`,
        `${(foreign - absent).toFixed(2)} ms`,
        `${p.toFixed(3)}${p < SIGNIFICANT ? ' *' : ''}`,
      ]),
  ])
  const summary = `${timing.length} comparisons of ${rounds} samples each; ${significant} with p below ${SIGNIFICANT} (reported, not judged)`
  return [aligned(rows), '', summary]
}

async function main({ defer, isCleaningUp }: Cleanup): Promise<number> {
  await startOwnPostgres(defer, 'isolation')
  const fixture = await stopAtCleanup(defer, openMatrix(), ({ server }) => server.stop())
  let [requests, serverErrors] = [0, 0]
  fixture.server.app.server.on('request', (_request, response) => {
    requests++
    response.once('finish', () => void (response.statusCode >= 500 && serverErrors++))
  })
  say(`${CHECKS.length} promises are looked at …`)
  const failed: string[] = []
  for (const { title, run } of CHECKS) {
    await run(fixture).catch((error: Error) => failed.push(`${title}\n  ${error.message.slice(0, 600)}`))
    if (isCleaningUp()) return 1 // an interrupted run proves nothing
  }
  for (const each of failed) say(`failed: ${each}`)
  const foreign = failed.filter((each) => each.includes('contains a foreign record')).length
  say(`${CHECKS.length} promises, ${failed.length} broken\n`)
  const timing = await timeRefusals(fixture, rounds, () => !isCleaningUp())
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
