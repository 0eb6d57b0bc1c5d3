// The isolation matrix as figures, and how long refusals take: `npm run isolation`, `npm run isolation -- --json`.
import { parseArgs } from 'node:util'
import { type Ending, toItsEnd } from '../../drills/ending.ts'
import { aligned } from '../../drills/table.ts'
import { startOwnServer, undone } from '../support/own-server.ts'
import { CHECKS } from './matrix.ts'
import { openMatrix } from './stage.ts'
import { timeRefusals } from './timing.ts'

const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
/** With --json standard output is for the last line alone. */
const say = values.json ? console.error : console.log
/** A p below this, in one of many rows, is still chance now and then. */
const TELLING = 0.001

async function main({ atEnd, isUnderWay }: Ending): Promise<number> {
  await startOwnServer(atEnd, 'isolation')
  const stage = await undone(atEnd, openMatrix(), ({ server }) => server.stop())
  let [requests, serverErrors] = [0, 0]
  stage.server.app.server.on('request', (_request, response) => {
    requests++
    response.once('finish', () => void (response.statusCode >= 500 && serverErrors++))
  })
  say(`${CHECKS.length} promises are looked at …`)
  const failed: string[] = []
  for (const { title, run } of CHECKS) {
    await run(stage).catch((error: Error) => failed.push(`${title}\n  ${error.message.slice(0, 600)}`))
    if (isUnderWay()) return 1 // it was interrupted, and shows nothing
  }
  for (const each of failed) say(`failed: ${each}`)
  const foreign = failed.filter((each) => each.includes('tells of what is not its own')).length
  say(`${CHECKS.length} promises, ${failed.length} broken\n`)
  const timing = await timeRefusals(stage)
  say('How long a refusal takes: of what is another’s, of what is not there, and how likely that is chance')
  say(
    aligned([
      ['', 'another’s', 'not there', 'p'],
      ...timing.map(({ route, medianForeignMs, medianAbsentMs, p }) => [
        route,
        `${medianForeignMs.toFixed(2)} ms`,
        `${medianAbsentMs.toFixed(2)} ms`,
        `${p.toFixed(3)}${p < TELLING ? ' *' : ''}`,
      ]),
    ]),
  )
  if (values.json) console.log(JSON.stringify({ requests, faults: failed.length, foreign, serverErrors, timing }))
  return failed.length > 0 ? 1 : 0
}

await toItsEnd(main)
