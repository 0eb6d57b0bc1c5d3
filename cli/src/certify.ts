import { performance } from 'node:perf_hooks'
import { CASES, type Case } from './certify/cases.ts'
import { createProbe, type Probe, type Reply } from './certify/probe.ts'
import { printJson, readAddress, TEXT, UsageError } from './command.ts'
import { describeFailure } from './describe-failure.ts'
import { defineCommand } from './partner.ts'
import { isTerminal, type Style } from './terminal.ts'

const SLOW_MS = 5000

/** Sends a receiver the deliveries that it will meet in production, and reports what it got wrong. */
export const run = defineCommand(
  '',
  { receiver: TEXT, firma: TEXT },
  async ({ receiver: given, firma, json }, { out, err, style }) => {
    if (!given) throw new UsageError('--receiver is needed: the address of a webhook, http or https.')
    const receiver = readAddress('--receiver', given)
    if (!firma) throw new UsageError('--firma is needed: the Secret that the receiver verifies with.')

    const probe = createProbe({ receiver, secret: firma })
    const { error } = await probe.send(probe.event('webhook.prueba'))
    if (error) throw new Error(describeFailure(receiver, { message: error }, '--receiver'))

    const shows = !json && isTerminal(err)
    const results: Result[] = []
    for (const each of CASES) {
      if (shows) err.write(`… ${each.name}\r`)
      const result = await play(each, probe)
      results.push(result)
      if (!json) out.write(`${lineOf(result, style)}\n`)
    }
    const wrong = results.filter(({ right }) => !right)
    if (json) printJson(out, { receiver, right: wrong.length === 0, results })
    else out.write(summary(results, wrong))
    return wrong.length === 0 ? 0 : 1
  },
)

type Result = Awaited<ReturnType<typeof play>>

async function play({ name, run, expects, advice }: Case, probe: Probe) {
  const from = performance.now()
  const replies = await run(probe)
  const slowestMs = Math.round(Math.max(...replies.map(({ ms }) => ms), 0))
  const right = replies.length > 0 && replies.every((reply) => isAsExpected(reply, expects))
  const seen = [...new Set(replies.map(({ status, error }) => error ?? String(status)))].join(', ')
  const slow = slowestMs > SLOW_MS ? 'Answers slowly: answer first, work after; 15 s is the limit.' : null
  return {
    name,
    right,
    seen,
    advice: right ? slow : advice,
    slowestMs: slowestMs || Math.round(performance.now() - from),
  }
}

/** A forgery must get a 4xx: after a 5xx it would be retried for days, and 410 disables the webhook. */
function isAsExpected({ status }: Reply, expects: Case['expects']): boolean {
  if (status === undefined) return false
  if (expects === 'accepts') return status >= 200 && status < 300
  return status >= 400 && status < 500 && status !== 410
}

function lineOf({ name, right, seen, advice, slowestMs }: Result, style: Style): string {
  const mark = right ? style('green', '✓') : style('red', '✗')
  const more = advice ? `\n    ${style('yellow', advice)}` : ''
  return `${mark} ${name.padEnd(58)} ${seen.padEnd(10)} ${String(slowestMs).padStart(6)} ms${more}`
}

const summary = (results: Result[], wrong: Result[]): string =>
  wrong.length === 0
    ? `\nAll ${results.length} passed: this receiver can be trusted with real events.\n`
    : `\n${wrong.length} of ${results.length} went wrong.\n`
