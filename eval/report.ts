import { fold } from '../src/catalogue/text.ts'
import type { Answer, Contender } from './contender.ts'
import type { EvalRow } from './rows.ts'

type Verdict = 'right' | 'wrong' | 'missed' | 'refused' | 'false accept'

export interface RowResult {
  readonly row: EvalRow
  readonly answer: Answer
  readonly verdict: Verdict
  readonly microseconds: number
}

// Rounds over the whole set: the first ones warm the indices and the compiler; the fastest answer of each row counts.
const MIN_ROUNDS = 3
const MAX_ROUNDS = 200
const ENOUGH_MS = 2000

interface Turn {
  readonly contender: Contender
  readonly answers: Answer[]
  readonly fastest: number[]
  spentMs: number
}

/** Runs every contender on every row in turn, so that other load on the machine affects all alike. */
export function runAll(
  contenders: readonly Contender[],
  rows: readonly EvalRow[],
  enoughMs = ENOUGH_MS,
): RowResult[][] {
  const turns = contenders.map((contender): Turn => {
    return { contender, answers: [], fastest: rows.map(() => Number.POSITIVE_INFINITY), spentMs: 0 }
  })
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const playing = turns.filter(({ spentMs }) => round < MIN_ROUNDS || spentMs < enoughMs)
    for (const turn of playing) playRound(turn, rows)
  }
  return turns.map(({ answers, fastest }) =>
    rows.map((row, at) => {
      const answer = answers[at] ?? null
      return { row, answer, verdict: judge(row, answer), microseconds: fastest[at] as number }
    }),
  )
}

function playRound(turn: Turn, rows: readonly EvalRow[]): void {
  const begun = performance.now()
  rows.forEach((row, at) => {
    const start = process.hrtime.bigint()
    turn.answers[at] = turn.contender.answer(row)
    const microseconds = Number(process.hrtime.bigint() - start) / 1000
    turn.fastest[at] = Math.min(turn.fastest[at] as number, microseconds)
  })
  turn.spentMs += performance.now() - begun
}

function judge(row: EvalRow, answer: Answer): Verdict {
  const among = (list: readonly string[]) => answer !== null && list.some((name) => fold(name) === fold(answer))
  if (row.right.length === 0) return answer === null || among(row.harmless) ? 'refused' : 'false accept'
  if (answer === null) return 'missed'
  return among(row.right) ? 'right' : 'wrong'
}

/** A table of every contender, for all rows of a kind, then by tier and class of noise. */
export function printTable(results: ReadonlyMap<string, readonly RowResult[]>): void {
  const all = [...results.values()][0] ?? []
  const groups: [string, (row: EvalRow) => boolean][] = []
  for (const kind of unique(all.map(({ row }) => row.kind))) {
    const places = unique(all.filter(({ row }) => row.kind === kind).map(({ row }) => homeOrAbroad(row)))
    for (const place of places) {
      const ofKind = (row: EvalRow) => row.kind === kind && homeOrAbroad(row) === place
      const title = kind === 'city' ? `${kind} ${place}` : kind
      groups.push([title.toUpperCase(), ofKind])
      const rows = all.map(({ row }) => row).filter(ofKind)
      for (const tier of unique(rows.map((row) => row.tier)))
        groups.push([`  tier ${tier}`, (row) => ofKind(row) && row.tier === tier])
      for (const noise of unique(rows.map((row) => row.noise)))
        groups.push([`  ${noise}`, (row) => ofKind(row) && row.noise === noise])
    }
  }
  const names = [...results.keys()]
  console.log('right % / wrong % / false accepts / µs per query\n')
  console.log([''.padEnd(24), 'rows'.padStart(5), ...names.map((name) => name.padStart(24))].join(' '))
  for (const [title, belongs] of groups) {
    const rows = all.filter(({ row }) => belongs(row)).length
    const cells = names.map((name) => summary((results.get(name) ?? []).filter(({ row }) => belongs(row))).padStart(24))
    console.log([title.padEnd(24), String(rows).padStart(5), ...cells].join(' '))
  }
}

function homeOrAbroad(row: EvalRow): string {
  return row.country === 'AR' ? 'AR' : 'other countries'
}

function summary(results: readonly RowResult[]): string {
  const count = (verdict: Verdict) => results.filter((one) => one.verdict === verdict).length
  const answerable = count('right') + count('wrong') + count('missed')
  const percent = (part: number) => (answerable ? ((100 * part) / answerable).toFixed(1) : '-')
  const mean = results.reduce((sum, { microseconds }) => sum + microseconds, 0) / Math.max(results.length, 1)
  return `${percent(count('right'))} / ${percent(count('wrong'))} / ${count('false accept')} / ${mean.toFixed(0)}`
}

/** Every wrong answer, for review; held-out rows are only counted. */
export function printMisses(results: readonly RowResult[]): void {
  console.log('\nid\tverdict\tstate\tvalue\tanswer\texpected\tnoise\ttier')
  for (const { row, answer, verdict } of results) {
    if (verdict === 'right' || verdict === 'refused' || row.tier === 'held') continue
    const context = row.state || [row.given.make, row.given.model, row.given.year].filter(Boolean).join(' ')
    const cells = [row.id, verdict, context, row.value, answer ?? '-', row.right[0] ?? '-', row.noise, row.tier]
    console.log(cells.join('\t'))
  }
}

function unique<T>(list: readonly T[]): T[] {
  return [...new Set(list)]
}
