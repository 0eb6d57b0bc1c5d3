import { EXPECTED } from './expectations.ts'
import { type MatrixFixture, recordOf } from './fixture.ts'
import type { Records } from './records.ts'

/** One cell of the matrix: a promise, and what shows it. */
export interface Check {
  title: string
  run(stage: MatrixFixture): Promise<void>
}

/** The routes of apps on which something is one app's and not another's. */
export const OWNED = [...EXPECTED].filter(([, { foreign, sitio }]) => foreign && !sitio)

/** What a route names in its path. */
export const identifiersOf = (route: string): (keyof Records)[] =>
  [...route.matchAll(/:(\w+)/g)].flatMap(([, name = '']) => recordOf(route, name) ?? [])
