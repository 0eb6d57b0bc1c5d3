import { type AgenciaRef, type Client, ProblemError } from '@rodado/client'

/** The catalogue of each kind, the parameter that has the value, and the others that help. */
export const CATALOGUES = {
  city: { path: '/v3/ciudades', main: 'city', others: ['state'] },
  make: { path: '/v3/marcas', main: 'make', others: [] },
  model: { path: '/v3/modelos', main: 'model', others: ['make', 'bodystyle'] },
  version: {
    ...{ path: '/v3/versiones', main: 'trim' },
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

/** The same as texts, of one kind. */
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

const CONCURRENT = 8

/** Matches by calls to the API. */
export const matchByApi =
  (client: Client): MatchValues =>
  async (kind, values) => {
    const outcomes: Outcome[] = []
    for (let at = 0; at < values.length; at += CONCURRENT)
      outcomes.push(
        ...(await Promise.all(values.slice(at, at + CONCURRENT).map((each) => matchOne(client, kind, each)))),
      )
    return outcomes
  }

interface Candidate {
  href: string
  title: string
  Score: number
}

async function matchOne(client: Client, kind: Kind, texts: Texts): Promise<Outcome> {
  const target = `${CATALOGUES[kind].path}/bestmatch?${new URLSearchParams(texts)}`
  try {
    const { data, headers } = await client.request<AgenciaRef>('GET', target, { as: 'ref' }).withResponse()
    const [, rule = '', score = ''] = /^rule=([^,]+), score=([\d.]+)/.exec(headers.get('match') ?? '') ?? []
    return { match: { ...foundOf({ ...data, Score: Number(score) }), rule }, candidates: [] }
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 400) throw error
    const [[parameter, [reason = '']] = ['', ['']]] = Object.entries(error.errors)
    const candidates = (error.extensions.Candidatos ?? []) as Candidate[]
    return { match: null, parameter, reason, candidates: candidates.map(foundOf) }
  }
}

const foundOf = ({ href, title, Score }: Candidate): Found => ({
  ...{ id: href.slice(href.lastIndexOf('/') + 1), name: title, state: null, score: Score },
})
