import { after, before, describe, it } from 'node:test'
import { CHECKS } from './matrix.ts'
import { type MatrixStage, openMatrix } from './stage.ts'

describe('isolation: the matrix', () => {
  let stage: MatrixStage
  before(async () => {
    stage = await openMatrix()
  })
  after(() => stage.server.stop())

  for (const { title, run } of CHECKS) it(title, () => run(stage))
})
