import { type Catalogue, loadCatalogue } from '../../src/catalogue/load.ts'
import { cacheMatches, createMatcher, type Matcher } from '../../src/catalogue/match/matcher.ts'
import type { Config } from '../../src/config.ts'
import { getOrInsert } from '../../src/memoize.ts'

const catalogues = new Map<string, Catalogue>()
const matchers = new Map<string, Matcher>()

/** Loaded once per process: it takes a moment and never changes. */
export const catalogueOf = (country: string, dir?: string): Catalogue =>
  getOrInsert(catalogues, `${country} ${dir}`, () => loadCatalogue(country, dir))

/** Made once per process: its indexes take a moment too. */
export const matcherOf = ({
  country,
  catalogueDir,
  publicUrl,
}: Pick<Config, 'country' | 'catalogueDir' | 'publicUrl'>): Matcher =>
  getOrInsert(matchers, `${country} ${catalogueDir} ${publicUrl}`, () =>
    cacheMatches(createMatcher(catalogueOf(country, catalogueDir), { publicUrl })),
  )
