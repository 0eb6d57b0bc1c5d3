import { type ServerOptions, startServer as start, type TestServer } from '../support/server.ts'
import { createWatch } from './watch.ts'

/** A server of a story: whatever happens in it, its secrets and its people are looked for when it stops. */
export const startServer = (options: ServerOptions = {}): Promise<TestServer> =>
  start({ ...options, watch: createWatch() })
