// Prints how well bestmatch does, beside ready-made libraries: npm run eval:bestmatch -- [--set DIR] [--misses] [--only NAME,NAME]
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Catalogue, loadCatalogue } from '../src/catalogue/load.ts'
import type { Contender, MakeContender } from './contender.ts'
import { fuse } from './contenders/fuse.ts'
import { tokenSet } from './contenders/fuzzball.ts'
import { miniSearch } from './contenders/minisearch.ts'
import { ours } from './contenders/ours.ts'
import { trigram } from './contenders/trigram.ts'
import { printMisses, printTable, type RowResult, runAll } from './report.ts'
import { type EvalRow, readRows } from './rows.ts'

const CONTENDERS: Record<string, MakeContender> = {
  rodado: ours,
  trigram,
  fuzzball: tokenSet,
  minisearch: miniSearch,
  'fuse.js': fuse,
}

const { values } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: ['./sets/', './vehicles/'].map(folder) },
    only: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})

const names = Object.keys(CONTENDERS).filter(
  (name) => values.only === undefined || values.only.split(',').includes(name),
)
const rows = readRows(...values.set)
const results = new Map<string, RowResult[]>(names.map((name) => [name, []]))
for (const country of new Set(rows.map((row) => row.country))) {
  const own = rows.filter((row) => row.country === country)
  const catalogue = tryLoad(country, own)
  const contenders = names.map((name) => (catalogue && CONTENDERS[name]?.(catalogue)) ?? unanswered(name))
  runAll(contenders, own).forEach((answers, at) => {
    results.get(names[at] as string)?.push(...answers)
  })
}
printTable(results)
if (values.misses) printMisses(results.get('rodado') ?? [])

function folder(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

/** A country without a catalogue answers nothing: right for its negatives, wrong for nothing. */
function tryLoad(country: string, own: readonly EvalRow[]): Catalogue | undefined {
  try {
    return loadCatalogue(country)
  } catch {
    console.log(`no catalogue of ${country}: its ${own.length} rows count as unanswered`)
    return undefined
  }
}

function unanswered(name: string): Contender {
  return { name, answer: () => null }
}
