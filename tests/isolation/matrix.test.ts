import { after, before, describe, it } from 'node:test'
import { type MatrixFixture, openMatrix } from './fixture.ts'
import { CHECKS } from './matrix.ts'

describe('isolation: the matrix', () => {
  let fixture: MatrixFixture
  before(async () => {
    fixture = await openMatrix()
  })
  after(() => fixture.server.stop())

  for (const { title, run } of CHECKS) it(title, () => run(fixture))
})
