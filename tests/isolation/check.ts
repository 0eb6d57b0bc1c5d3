import { EXPECTED } from './expectations.ts'
import { type MatrixStage, thingOf } from './stage.ts'
import type { Things } from './things.ts'

/** One cell of the matrix: a promise, and what shows it. */
export interface Check {
  title: string
  run(stage: MatrixStage): Promise<void>
}

/** The routes of apps on which something is one app's and not another's. */
export const OWNED = [...EXPECTED].filter(([, { foreign, sitio }]) => foreign && !sitio)

/** What a route names in its path. */
export const identifiersOf = (route: string): (keyof Things)[] =>
  [...route.matchAll(/:(\w+)/g)].flatMap(([, name = '']) => thingOf(route, name) ?? [])
