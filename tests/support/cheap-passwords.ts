/** What hashing a password costs in tests; the real cost would take a tenth of a run. src/accounts/accounts.test.ts checks that one. */
export const CHEAP = { memoryCost: 64, timeCost: 1, parallelism: 1 }
