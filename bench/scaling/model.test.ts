import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Comparison } from '../scenario.ts'
import { busyCores, type Costs, costsOf, FULL, holds, MIX, type Step, sharesOfWrites } from './model.ts'
import { changedBy, STEPS } from './steps.ts'

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
    assert.ok(Math.abs(thousands * (nodes + postgres) - alone.postgresCores * FULL) < 1e-9)
  })

  it('every row changes one thing of another, and holds no less for it', () => {
    const settings = ({ nodeCores, postgresCores, shared, replicas, primaryReads, shards }: Step) => [
      ...[nodeCores, postgresCores, shared, replicas, primaryReads, shards],
    ]
    for (const step of STEPS.slice(1)) {
      const former = changedBy(step)
      assert.ok(former, `${step.name} names a row that is not there`)
      const before = settings(former)
      assert.equal(settings(step).filter((value, at) => value !== before[at]).length, 1, step.name)
      assert.ok(holds(step, COSTS).thousands >= holds(former, COSTS).thousands, step.name)
    }
  })

  it('a replica takes reads alone, and where all is written it gives nothing; a shard takes both', () => {
    const primary = { stage: 2, name: '', postgresCores: 8 }
    const onlyWrites = { ...MIX, page: 0, one: 0, catalogue: 0 }
    const without = holds(primary, COSTS, onlyWrites)
    assert.equal(without.bound, 'PostgreSQL')
    for (const reading of [{}, { primaryReads: true } as const]) {
      const replicated = holds({ ...primary, ...reading, replicas: 3 }, COSTS, onlyWrites)
      assert.equal(replicated.thousands, without.thousands)
      assert.equal(replicated.bound, 'the primary, by writes alone')
    }
    assert.equal(holds({ ...primary, shards: 4 }, COSTS, onlyWrites).thousands, without.thousands * 4)
  })

  it('one replica that takes all reads moves them; shared with the primary they grow', () => {
    const primary = { stage: 3, name: '', postgresCores: 8, replicas: 1 }
    const onlyReads = { ...MIX, intake: 0, delivery: 0, row: 0 }
    const alone = holds({ ...primary, replicas: 0 }, COSTS, onlyReads).thousands
    assert.equal(holds(primary, COSTS, onlyReads).thousands, alone)
    assert.equal(holds({ ...primary, primaryReads: true }, COSTS, onlyReads).thousands, alone * 2)
  })

  it('says what nodes need, and what is full where they are too few', () => {
    const few = { stage: 1, name: '', nodeCores: 1, postgresCores: 64 }
    assert.deepEqual([holds(few, COSTS).bound, holds(few, COSTS).nodeCores.toFixed(6)], ['the nodes', '1.000000'])
    const { thousands, nodeCores } = holds({ stage: 1, name: '', postgresCores: 64 }, COSTS)
    assert.ok(Math.abs(nodeCores * FULL - thousands * busyCores(COSTS).nodes) < 1e-9)
  })

  it('tells what writes are made of, the most first', () => {
    const shares = sharesOfWrites(COSTS)
    assert.deepEqual(
      shares.map(({ name }) => name),
      ['row', 'intake', 'delivery'],
    )
    assert.ok(Math.abs(shares.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9)
  })
})
