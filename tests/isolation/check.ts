import { EXPECTED } from './expectations.ts'
import { type MatrixFixture, recordOf } from './fixture.ts'
import type { Records } from './records.ts'

/** One cell of the matrix: its title and its test. */
export interface Check {
  title: string
  run(fixture: MatrixFixture): Promise<void>
}

/** The routes whose data belongs to one app. */
export const OWNED = [...EXPECTED].filter(([, { foreign, sitio }]) => foreign && !sitio)

/** The records that a route names in its path. */
export const identifiersOf = (route: string): (keyof Records)[] =>
  [...route.matchAll(/:(\w+)/g)].flatMap(([, name = '']) => recordOf(route, name) ?? [])
