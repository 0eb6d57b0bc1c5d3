import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CODE_LIST } from '../../src/http/codes.ts'
import { PROBLEMS } from '../../src/http/problems.ts'
import { readRunLog } from '../support/run-log.ts'

describe('contract/codes.tsv', () => {
  const found = readRunLog('codes').map((line) => line.split(' '))
  const statuses = new Map(CODE_LIST.map(({ code, problem, status }) => [code, status ?? PROBLEMS[problem].status]))

  for (const code of statuses.keys()) it(`${code} was seen`, () => assert.ok(found.some(([each]) => each === code)))

  it('has every code that was seen, with its status', () => {
    const others = found.filter(([code = '', status]) => {
      const listed = statuses.get(code)
      return listed === undefined || (status !== undefined && Number(status) !== listed)
    })
    assert.deepEqual(others, [])
  })
})
