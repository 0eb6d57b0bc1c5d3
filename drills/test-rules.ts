import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Rule, violationsOf } from './rules.ts'

/** What a drill may observe: a good run, a run in which nothing happened, and one bad figure at a time. */
interface Cases<Observed> {
  good: Observed
  nothing: Observed
  bad: readonly (readonly [name: string, other: Partial<Observed>, says: RegExp])[]
}

/** Tests the rules of a drill: a good run passes, each bad figure breaks exactly one rule, and every rule is tested. */
export function testRules<Observed>(
  title: string,
  rules: readonly Rule<Observed>[],
  cases: Cases<NoInfer<Observed>>,
): void {
  const { good, nothing, bad } = cases
  describe(title, () => {
    it('a good run passes', () => assert.deepEqual(violationsOf(rules, good), []))

    it('a run in which nothing happened fails', () => assert.notDeepEqual(violationsOf(rules, nothing), []))

    for (const [name, other, says] of bad)
      it(`fails if ${name}, and reports nothing else`, () => {
        const faults = violationsOf(rules, { ...good, ...other })
        assert.equal(faults.length, 1, faults.join('\n'))
        assert.match(faults[0] ?? '', says)
      })

    it('every rule has a case that breaks it', () => {
      const silent = rules.filter(
        (rule) => !bad.some(([, other]) => violationsOf([rule], { ...good, ...other }).length > 0),
      )
      assert.deepEqual(silent.map(String), [])
    })
  })
}
