import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type Promised, readStatuses, templateFor } from './statuses.ts'

const run = process.env.RODADO_TEST_RUN ?? ''

/** Every answer that the tests of this run have seen, by the path template it belongs to. */
function seen(promises: Promised[]): Set<string> {
  const found = new Set<string>()
  for (const file of readdirSync(run).filter((name) => name.startsWith('statuses-'))) {
    for (const line of readFileSync(join(run, file), 'utf8').trim().split('\n')) {
      const [method = '', path = '', status = ''] = line.split('\t')
      found.add(`${method} ${templateFor(path, promises)} ${status}`)
    }
  }
  return found
}

describe('contract/statuses.tsv', () => {
  const promises = readStatuses()
  const found = seen(promises)

  for (const { method, path, status } of promises.filter(({ built }) => built)) {
    it(`${status} was seen from ${method} ${path}`, () => assert.ok(found.has(`${method} ${path} ${status}`)))
  }
})
