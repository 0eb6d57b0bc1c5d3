import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Rule, violationsOf } from './rules.ts'

/** What a drill may see: what is well, what there is where nothing happened, and each fault, with what is said of it. */
export interface Cases<Observed> {
  good: Observed
  nothing: Observed
  bad: readonly (readonly [name: string, other: Partial<Observed>, says: RegExp])[]
}

/** The rules of a drill, tried: what is well holds, every fault is found by itself, and no rule is without one. */
export function testRules<Observed>(
  title: string,
  rules: readonly Rule<Observed>[],
  cases: Cases<NoInfer<Observed>>,
): void {
  const { good, nothing, bad } = cases
  describe(title, () => {
    it('what is well holds', () => assert.deepEqual(violationsOf(rules, good), []))

    it('fails where nothing happened', () => assert.notDeepEqual(violationsOf(rules, nothing), []))

    for (const [name, other, says] of bad)
      it(`fails where ${name}, and says nothing else`, () => {
        const faults = violationsOf(rules, { ...good, ...other })
        assert.equal(faults.length, 1, faults.join('\n'))
        assert.match(faults[0] ?? '', says)
      })

    it('every rule has been seen to fail', () => {
      const silent = rules.filter(
        (rule) => !bad.some(([, other]) => violationsOf([rule], { ...good, ...other }).length > 0),
      )
      assert.deepEqual(silent.map(String), [])
    })
  })
}
