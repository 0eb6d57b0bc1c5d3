import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { prepared } from './prepared.ts'

describe('a statement that is worded once', () => {
  const statement = prepared<{ id: number; mail: string }>(
    ({ id, mail }) => sql`select ${id}, ${sql`lower(${mail})`}, ${25} where ${id} = 1`,
  )

  it('has each value wherever it is named, and constants as they were written', () => {
    const { text, values } = statement({ id: 7, mail: 'a@b.test' })
    assert.equal(text, 'select $1, lower($2), $3 where $4 = 1')
    assert.deepEqual(values, [7, 'a@b.test', 25, 7])
  })

  it('is the same text each time, with the values of that time', () => {
    const [first, second] = [statement({ id: 1, mail: 'x' }), statement({ id: 2, mail: 'y' })]
    assert.equal(first.text, second.text)
    assert.deepEqual(
      [first.values, second.values],
      [
        [1, 'x', 25, 1],
        [2, 'y', 25, 2],
      ],
    )
  })
})
