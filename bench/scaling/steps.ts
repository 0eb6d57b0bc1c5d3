import type { Step } from './model.ts'

const LARGE = 'PostgreSQL on 32 cores'

/** From one machine to many, one thing changed at a time: only then does a row say what that step buys. */
export const STEPS: Step[] = [
  { stage: 0, name: 'one machine of 4 cores, everything on it', nodeCores: 4, postgresCores: 4, shared: true },
  { stage: 1, name: 'PostgreSQL apart, on 4 cores of its own', nodeCores: 4, postgresCores: 4 },
  { stage: 1, name: 'a second node of 4 cores', nodeCores: 8, postgresCores: 4 },
  { stage: 2, name: 'PostgreSQL on 8 cores', nodeCores: 8, postgresCores: 8 },
  { stage: 1, name: 'as many nodes as it takes, here and below', postgresCores: 8 },
  { stage: 2, name: LARGE, postgresCores: 32 },
  { stage: 3, name: 'a replica that takes all reads', postgresCores: 32, replicas: 1 },
  { stage: 3, name: 'the primary takes its share of them', postgresCores: 32, replicas: 1, primaryReads: true },
  { stage: 3, name: 'three replicas', postgresCores: 32, replicas: 3, primaryReads: true },
  { stage: 3, name: 'fifteen replicas', postgresCores: 32, replicas: 15, primaryReads: true },
  { stage: 5, name: 'four shards, no replicas', from: LARGE, postgresCores: 32, shards: 4 },
  { stage: 5, name: 'sixteen shards', postgresCores: 32, shards: 16 },
]

/** Which row that one changes: the one it names, or the one before; none for the first. */
export function changedBy(step: Step): Step | undefined {
  return step.from === undefined ? STEPS[STEPS.indexOf(step) - 1] : STEPS.find(({ name }) => name === step.from)
}
