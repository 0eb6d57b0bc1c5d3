import { defineCommand } from './command.ts'
import { withStore } from './with-store.ts'

/** Applies migrations without starting the server, for deployments that do it as a separate step. */
export const run = defineCommand('', {}, async (_values, { config }) => {
  const applied = await withStore(config, async (opened) => opened.applied)
  const text = applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'The database is up to date.\n'
  return { json: { applied }, text }
})
