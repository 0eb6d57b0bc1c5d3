import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import Type from 'typebox'
import { bodyFaults, OWN_FORMATS } from './validate.ts'

const toAscii = (text: string): string => text.replace(/[^\0-\x7f]/gu, 'x')

/** Texts that a pattern admits, texts close to them, and any others. */
const textsNear = (pattern: string): fc.Arbitrary<string> => {
  const admitted = fc.stringMatching(new RegExp(pattern))
  const changed = fc
    .tuple(admitted, fc.string({ unit: 'binary', maxLength: 2 }), fc.nat(), fc.nat(2))
    .map(([text, more, at, without]) => {
      const index = at % (text.length + 1)
      return `${text.slice(0, index)}${more}${text.slice(index + without)}`
    })
  return fc.oneof(admitted, changed, fc.string(), fc.string({ unit: 'binary' }))
}

describe('formats of our own and the patterns that the document has for them', () => {
  for (const [format, { pattern, check }] of Object.entries(OWN_FORMATS)) {
    const schema = Type.String({ format })
    const isAccepted = (text: string): boolean => Object.keys(bodyFaults(schema, text)).length === 0
    const isMatched = (text: string): boolean => new RegExp(pattern, 'u').test(text)

    it(`${format}: ${check ? 'the pattern admits all that is accepted' : 'both say the same of every text'}`, () => {
      fc.assert(
        fc.property(textsNear(pattern), (text) => {
          if (check) assert.ok(isMatched(text) || !isAccepted(text))
          else assert.equal(isAccepted(text), isMatched(text))
        }),
        { numRuns: 500 },
      )
    })
  }

  it('https: an ASCII text is accepted if it matches and its host is one', () => {
    fc.assert(
      fc.property(textsNear(OWN_FORMATS.https?.pattern ?? '').map(toAscii), (text) => {
        const [, host = ''] = /^https:\/\/([^/?#]*)/i.exec(text) ?? []
        const expected = new RegExp(OWN_FORMATS.https?.pattern ?? '', 'u').test(text) && URL.canParse(`https://${host}`)
        const faults = bodyFaults(Type.String({ format: 'https' }), text)
        assert.equal(Object.keys(faults).length === 0, expected)
      }),
      { numRuns: 500 },
    )
  })

  it('external-id: neither .. nor lote, in any case, but all that only begins or ends so', () => {
    const pattern = new RegExp(OWN_FORMATS['external-id']?.pattern ?? '')
    for (const text of ['..', 'lote', 'LOTE', 'Lote', 'loTe', 'a b', 'a/b', '', 'ñu'])
      assert.doesNotMatch(text, pattern)
    for (const text of [
      '.',
      '...',
      '.a',
      'a.',
      'lot',
      'lotes',
      'lota',
      'xote',
      'ltte',
      'loxe',
      'AB-1023',
      "!$&'()*+,;=:@~",
    ])
      assert.match(text, pattern)
  })
})
