import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRunLog } from '../support/run-log.ts'
import { type Promised, readStatuses, templateFor } from './statuses.ts'

/** Every answer that the tests of this run have seen, by the path template it belongs to. */
function seen(promises: Promised[]): Set<string> {
  const answers = readRunLog('statuses').map((line) => line.split('\t'))
  return new Set(answers.map(([method, path = '', status]) => `${method} ${templateFor(path, promises)} ${status}`))
}

describe('contract/statuses.tsv', () => {
  const promises = readStatuses()
  const found = seen(promises)

  for (const { method, path, status } of promises.filter(({ built }) => built)) {
    it(`${status} was seen from ${method} ${path}`, () => assert.ok(found.has(`${method} ${path} ${status}`)))
  }
})
