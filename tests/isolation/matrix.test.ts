import { after, before, describe, it } from 'node:test'
import { type MatrixFixture, openMatrix } from './fixture.ts'
import { CHECKS } from './matrix.ts'

describe('isolation: the matrix', () => {
  let stage: MatrixFixture
  before(async () => {
    stage = await openMatrix()
  })
  after(() => stage.server.stop())

  for (const { title, run } of CHECKS) it(title, () => run(stage))
})
