import { type ServerOptions, startServer as start, type TestServer } from '../support/server.ts'
import { createWatch } from './watch.ts'

/** A test server that is searched for secrets and personal data when it stops. */
export const startServer = (options: ServerOptions = {}): Promise<TestServer> =>
  start({ ...options, watch: createWatch() })
