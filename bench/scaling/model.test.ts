import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Comparison } from '../scenario.ts'
import { busyCores, type Costs, costsOf, FULL, holds, MIX, STEPS } from './model.ts'

const cost = (node: number, postgres: number) => ({ node, postgres })
const COSTS: Costs = {
  ...{ catalogue: cost(50, 0), page: cost(1000, 1500), one: cost(600, 700), intake: cost(700, 800) },
  ...{ delivery: cost(100, 80), row: cost(60, 50) },
}

describe('the model of scaling', () => {
  it('takes ours out of a run, what PostgreSQL spent apart', () => {
    const results = ['colores', 'consultas', 'consulta', 'intake', 'deliveries-backlog', 'lote-changed'].map((name) => {
      const round = { answered: 1, perSecond: 1, serverBusy: 1, clientBusy: 0, othersBusy: 0 }
      const ours = [{ ...round, cpuMicrosPerRequest: 300, postgresMicrosPerRequest: 100 }]
      return { kind: 'comparison', name, title: name, bodyBytes: 1, target: 1, bare: ours, ours } satisfies Comparison
    })
    assert.deepEqual(costsOf(results).page, { node: 200, postgres: 100 })
    assert.throws(() => costsOf(results.slice(1)), /has no colores/)
  })

  it('one machine is full when nodes and PostgreSQL together have its cores', () => {
    const { nodes, postgres } = busyCores(COSTS)
    const [alone] = STEPS
    assert.ok(alone)
    const { thousands, bound } = holds(alone, COSTS)
    assert.equal(bound, 'the machine')
    assert.ok(Math.abs(thousands * (nodes + postgres) - alone.nodeCores * FULL) < 1e-9)
  })

  it('no step holds less than the one before, and a replica takes reads alone', () => {
    const held = STEPS.map((step) => holds(step, COSTS).thousands)
    assert.deepEqual(
      held,
      held.toSorted((a, b) => a - b),
    )
    const primary = { name: '', nodeCores: 10_000, postgresCores: 8 }
    const onlyWrites = { ...MIX, page: 0, one: 0, catalogue: 0 }
    const without = holds(primary, COSTS, onlyWrites)
    const replicated = holds({ ...primary, replicas: 3 }, COSTS, onlyWrites)
    assert.equal(replicated.thousands, without.thousands, 'where all is written, a replica gives nothing')
    assert.equal(holds({ ...primary, shards: 4 }, COSTS, onlyWrites).thousands, without.thousands * 4)
  })
})
