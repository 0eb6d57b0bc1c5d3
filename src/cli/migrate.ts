import { openInstallation } from '../store/open.ts'
import { defineCommand } from './command.ts'

/** Applies migrations, as a separate step of a deployment. */
export const run = defineCommand('', {}, async (_values, { config, err }) => {
  const say = (_fields: object, message = '') => void err.write(`rodado: ${message}\n`)
  const log = { info: () => undefined, warn: say, error: say }
  const { applied, close } = await openInstallation(config, 'migrate', log)
  await close()
  const text = applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'The database is up to date.\n'
  return { json: { applied }, text }
})
