import type { Scenario } from './scenario.ts'
import { ciudadesBestmatch, ciudadesOfProvince } from './scenarios/ciudades.ts'
import { colores, coloresBrotli, coloresByToken, coloresUnchanged } from './scenarios/colores.ts'
import { consolePage } from './scenarios/console.ts'
import { consolePages } from './scenarios/console-pages.ts'
import { consulta, consultas } from './scenarios/consultas.ts'
import { deliveries, deliveriesBacklog, deliveryLatency } from './scenarios/deliveries.ts'
import { intake } from './scenarios/intake.ts'
import { memory } from './scenarios/memory.ts'
import { nodes } from './scenarios/nodes.ts'
import { lote, loteChanged } from './scenarios/publicaciones.ts'
import { startUp } from './scenarios/start-up.ts'

/** Everything that is measured, in the order of the tables. */
export const SCENARIOS: Scenario[] = [
  colores,
  coloresBrotli,
  coloresUnchanged,
  coloresByToken,
  ciudadesOfProvince,
  ciudadesBestmatch,
  consultas,
  consulta,
  intake,
  lote,
  loteChanged,
  consolePage,
  deliveriesBacklog,
  deliveries,
  deliveryLatency,
  nodes,
  memory,
  startUp,
  consolePages,
]

/** Those of these names, or all where none is given; where one does not exist, the words that say so. */
export function chosen(names: string[]): Scenario[] | string {
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name))
  if (unknown.length > 0)
    return `There is no scenario ${unknown.join(', ')}. There are: ${SCENARIOS.map(({ name }) => name).join(', ')}.`
  return names.length === 0 ? SCENARIOS : SCENARIOS.filter(({ name }) => names.includes(name))
}
