import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deref, OPERATIONS, type Schema } from '../../fuzz/contract.ts'
import { IDENTIFIERS, IDENTIFIERS_IN_QUERIES, NO_IDENTIFIERS, POSITIONS } from './positions.ts'

/** The names of all members of a schema, nested ones too, without those that are ignored. */
function membersOf(given: Schema): string[] {
  const schema = deref(given)
  const taken = Object.entries(schema.properties ?? {}).filter(([, { readOnly }]) => !readOnly)
  const own = taken.flatMap(([name, each]) => [
    name,
    ...membersOf(each).map((inner) => (inner.startsWith('[') ? `${name}${inner}` : `${name}.${inner}`)),
  ])
  const alternatives = (schema.anyOf ?? []).flatMap(membersOf)
  const items = schema.items ? membersOf(schema.items).map((name) => `[].${name}`) : []
  return [...own, ...alternatives, ...items]
}

describe('isolation: positions of the matrix', () => {
  it('every identifier in a query or body of the contract has a position', () => {
    const taken = OPERATIONS.filter(({ path }) => /^\/(v3|interno)/.test(path)).flatMap((operation) => {
      const route = `${operation.method} ${operation.path.replace(/\{(\w+)\}/g, ':$1')}`
      const queries = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name)
      const members = operation.body ? membersOf(operation.body.schema) : []
      return [
        ...queries.filter((name) => IDENTIFIERS_IN_QUERIES.includes(name)),
        ...members.filter((name) => IDENTIFIERS.includes(name.split('.').at(-1) ?? '')),
      ].map((name) => `${route} ${name}`)
    })
    const known = [...POSITIONS.map(({ route, name }) => `${route} ${name}`), ...NO_IDENTIFIERS]
    assert.deepEqual([...new Set(taken)].sort(), [...new Set(known)].sort())
  })
})
