import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { catalogueOf } from '../../../tests/support/catalogue.ts'
import { cacheMatches, createMatcher } from './matcher.ts'

describe('a matcher that remembers', () => {
  const plain = createMatcher(catalogueOf('AR'), { publicUrl: 'http://rodado.test' })
  const memoize = cacheMatches(plain)

  it('answers as the other does, the first time and again', () => {
    for (let time = 0; time < 2; time++) {
      for (const value of ['vw', 'Fiat', 'zapatillas', '', '125'])
        assert.deepEqual(memoize.make(value), plain.make(value))
      for (const state of ['Bs As', 'Santa', 'AR-X']) assert.deepEqual(memoize.region(state), plain.region(state))
      for (const query of [
        { state: 'Bs As', city: 'temperlei' },
        { state: 'Bs', city: 'As\ntemperlei' },
      ])
        assert.deepEqual(memoize.city(query), plain.city(query))
      const etios = { make: 'Toyota', model: 'etios xls', year: 2019 }
      assert.deepEqual(memoize.model(etios), plain.model(etios))
      assert.deepEqual(memoize.version(etios), plain.version(etios))
      assert.notDeepEqual(memoize.version({ ...etios, year: 2014 }), memoize.version(etios))
    }
    assert.equal(memoize.make('vw'), memoize.make('vw'), 'from memory')
  })

  it('forgets rather than grows', () => {
    const first = memoize.colour('rojo')
    for (let index = 0; index < 10_001; index++) memoize.colour(`c${index}`)
    assert.notEqual(memoize.colour('rojo'), first)
    assert.deepEqual(memoize.colour('rojo'), first)
  })
})
