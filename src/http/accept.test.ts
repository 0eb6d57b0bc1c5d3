import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chooseType } from './negotiation.ts'

const ENTRY = 'application/vnd.service.entry+json'
const REF = 'application/vnd.service.ref+json'
const OFFERS = ['application/json', 'text/json', ENTRY, REF]

describe('negotiation (RFC 9110, 12.5.1)', () => {
  const cases: [string | undefined, string | undefined, string][] = [
    [undefined, 'application/json', 'no Accept takes the first'],
    ['*/*', 'application/json', 'anything takes the first'],
    ['', 'application/json', 'an empty Accept says nothing'],
    ['text/json', 'text/json', 'an exact type'],
    ['TEXT/JSON', 'text/json', 'types have no case'],
    ['text/*', 'text/json', 'half a type'],
    ['application/*;q=0.5, text/json', 'text/json', 'the higher weight'],
    ['text/json, application/json', 'application/json', 'a tie goes to the order of the house, not of the header'],
    [`${REF}, */*;q=0.1`, REF, 'the ref form'],
    [`*/*, ${REF}`, 'application/json', 'a tie between a wildcard and an exact type'],
    [`application/json;q=0, */*`, 'text/json', 'q=0 forbids one'],
    [`*/*;q=0, ${ENTRY}`, ENTRY, 'the most specific range holds'],
    [`application/json;q=0.2, application/*;q=0.9`, ENTRY, 'a specific low weight beats a general high one'],
    ['application/json; charset=utf-8', 'application/json', 'a charset does not matter'],
    ['*', 'application/json', 'a lone star is */*'],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/json', 'what Java sends by itself'],
    ['application/json;q=.9', 'application/json', 'a weight without its zero'],
    ['application/json;q=.1, text/json;q=.9', 'text/json', 'weights without zeros are compared'],
    ['application/json;q=.', undefined, 'a lone point is no weight'],
    ['application/json;q=0.000', undefined, 'forbidden'],
    ['application/json;q=1.5', undefined, 'a broken weight does not invite'],
    ['text/html', undefined, 'nothing we have'],
    ['garbage', undefined, 'what is no range takes nothing'],
    ['text/html, application/xml;q=0.9', undefined, 'still nothing'],
    ['text/html, */*;q=0.01', 'application/json', 'a browser is served'],
    ['application/json;q=0.5, application/json;q=0.7, text/json;q=0.6', 'application/json', 'the better of two'],
  ]
  for (const [accept, expected, why] of cases) {
    it(`${why}: ${accept ?? '(absent)'}`, () => assert.equal(chooseType(accept, OFFERS), expected))
  }

  it('never gives what is not offered', () => assert.equal(chooseType(REF, OFFERS.slice(0, 3)), undefined))
})
