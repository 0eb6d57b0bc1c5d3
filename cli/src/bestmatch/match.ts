import { type AgenciaRef, type Candidato, type Client, type Coincidencias, ProblemError } from '@rodado/client'

/** The catalogue of each kind, the parameter that has the value, and the others that help. */
export const CATALOGUES = {
  city: { path: '/v3/ciudades', main: 'city', others: ['state'] },
  make: { path: '/v3/marcas', main: 'make', others: [] },
  model: { path: '/v3/modelos', main: 'model', others: ['make', 'bodystyle'] },
  version: {
    path: '/v3/versiones',
    main: 'trim',
    others: ['make', 'model', 'year', 'bodystyle', 'transmissionType', 'displacement', 'power', 'fuelType'],
  },
  bodystyle: { path: '/v3/carrocerias', main: 'bodystyle', others: [] },
  colour: { path: '/v3/colores', main: 'color', others: [] },
  region: { path: '/v3/regiones', main: 'state', others: [] },
} as const satisfies Record<string, { path: string; main: string; others: readonly string[] }>

export type Kind = keyof typeof CATALOGUES
export const KINDS = Object.keys(CATALOGUES) as Kind[]

/** The parameters of one value, by their names in the query. */
export type Values = { readonly [parameter: string]: unknown }

/** A record of a catalogue. */
export interface Found {
  id: number | string
  name: string
  /** The make of a model, make and model of a version. */
  make?: string
  model?: string
  /** The ISO code of a city's region, or of a region. */
  state: string | null
  score: number
}

/** What one value means: a certain match, or why there is none and the nearest records. */
export interface Outcome {
  match: (Found & { rule: string }) | null
  parameter?: string
  reason?: string
  candidates: Found[]
}

/** A value of one kind as texts. */
export type Texts = Record<string, string>

/** Matches values of one kind, in the order given. */
export type MatchValues = (kind: Kind, values: readonly Texts[]) => Promise<Outcome[]>

/** The parameters of a kind that are given, as text; `query` stands for the main one. */
export function textsOf(kind: Kind, values: Values): Texts {
  const { main, others } = CATALOGUES[kind]
  const given = [main, ...others].map((name) => [name, textOf(values[name])])
  const texts = Object.fromEntries(given.filter(([, text]) => text !== ''))
  return texts[main] || !textOf(values.query) ? texts : { ...texts, [main]: textOf(values.query) }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** The most values of one request. */
export const MAX_VALUES = 500

/** Matches by calls to the API: one value by GET, which says why there is no match, and many at once by POST. */
export const matchByApi =
  (client: Client): MatchValues =>
  async (kind, values) => {
    const [only] = values
    if (only && values.length === 1) return [await matchOne(client, kind, only)]
    const outcomes: Outcome[] = []
    for (let at = 0; at < values.length; at += MAX_VALUES)
      outcomes.push(...(await matchMany(client, kind, values.slice(at, at + MAX_VALUES))))
    return outcomes
  }

/** A value that the API refuses, such as one without its make, would refuse all: the others are sent again without it. */
async function matchMany(client: Client, kind: Kind, values: readonly Texts[]): Promise<Outcome[]> {
  const outcomes: (Outcome | undefined)[] = values.map(() => undefined)
  for (;;) {
    const left = values.flatMap((texts, at) => (outcomes[at] ? [] : [{ texts, at }]))
    if (left.length === 0) return outcomes as Outcome[]
    const body = { Valores: left.map(({ texts }) => criteriaOf(texts)) }
    const result = await client
      .request<Coincidencias>('POST', `${CATALOGUES[kind].path}/bestmatch`, { body })
      .catch(faultsOf)
    if (!(result instanceof Map) && result._entries.length !== left.length)
      throw new Error(`the marketplace answered ${result._entries.length} of ${left.length} values.`)
    if (result instanceof Map)
      for (const [index, fault] of result) outcomes[left[index]?.at ?? -1] = { match: null, ...fault, candidates: [] }
    else
      for (const [index, { Match, Candidatos }] of result._entries.entries())
        outcomes[left[index]?.at ?? -1] = {
          match: Match && { ...foundOf(Match), rule: Match.Rule },
          ...(!Match && { parameter: CATALOGUES[kind].main, reason: 'no certain match' }),
          candidates: Candidatos.map(foundOf),
        }
  }
}

/** The year is a number; one that is not is left out, as any text that is not understood. */
const criteriaOf = ({ year, ...texts }: Texts) =>
  /^\d{4}$/.test(year ?? '') ? { ...texts, year: Number(year) } : texts

/** The values that were refused, by their position, and why; an error about anything else is thrown. */
function faultsOf(error: unknown): Map<number, { parameter: string; reason: string }> {
  const faults = new Map<number, { parameter: string; reason: string }>()
  for (const [property, [reason = '']] of error instanceof ProblemError ? Object.entries(error.errors) : []) {
    const [, index, parameter = ''] = /^Valores\D(\d+)\W*(\w*)$/.exec(property) ?? []
    if (index !== undefined) faults.set(Number(index), { parameter, reason })
  }
  if (faults.size === 0) throw error
  return faults
}

async function matchOne(client: Client, kind: Kind, texts: Texts): Promise<Outcome> {
  const target = `${CATALOGUES[kind].path}/bestmatch?${new URLSearchParams(texts)}`
  try {
    const { data, match } = await client.request<AgenciaRef>('GET', target, { as: 'ref' }).withResponse()
    const { rule, score } = match ?? { rule: '', score: 0 }
    return { match: { ...foundOf({ ...data, Score: score }), rule }, candidates: [] }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 400) throw error
    const [[parameter, [reason = '']] = ['', ['']]] = Object.entries(error.errors)
    return { match: null, parameter, reason, candidates: error.candidatos.map(foundOf) }
  }
}

const foundOf = ({ href, title, Score }: Candidato): Found => ({
  id: href.slice(href.lastIndexOf('/') + 1),
  name: title,
  state: null,
  score: Score,
})
