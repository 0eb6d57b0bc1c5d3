import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newSecret } from './secrets.ts'

it('a secret is 256 bits that no command line takes for an option', () => {
  const secrets = new Set(Array.from({ length: 2_000 }, newSecret))
  assert.equal(secrets.size, 2_000)
  for (const secret of secrets) assert.match(secret, /^\w[\w-]{42}$/)
})
