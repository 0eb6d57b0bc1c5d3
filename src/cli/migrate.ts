import { type Command, parseOptions, printJson } from './command.ts'

import { withStore } from './with-store.ts'

/** Applies migrations without starting the server, for deployments that do it as a separate step. */
export const command: Command = {
  usage: 'Usage: rodado migrate [--json]',

  async run(argv, { config, out }) {
    const values = parseOptions(argv, {})
    const applied = await withStore(config, async (opened) => opened.applied)
    if (values.json) printJson(out, { applied })
    else out.write(applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'The database is up to date.\n')
    return 0
  },
}
