import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CODE_LIST } from '../../src/http/codes.ts'
import { readRunLog } from '../support/run-log.ts'

describe('contract/codes.tsv', () => {
  const found = new Set(readRunLog('codes'))

  for (const { code } of CODE_LIST) it(`${code} was seen`, () => assert.ok(found.has(code)))

  it('has every code that was seen', () => {
    const listed = new Set<string>(CODE_LIST.map(({ code }) => code))
    assert.deepEqual(
      [...found].filter((code) => !listed.has(code)),
      [],
    )
  })
})
