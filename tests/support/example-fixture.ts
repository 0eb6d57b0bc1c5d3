import { after, before, describe } from 'node:test'
import type { Language } from '../../src/pages/docs/languages.ts'
import { LOOPBACK } from './deliveries.ts'
import { downloadPrograms, missingRuntime, type Programs } from './program.ts'
import { startServer, type TestApp, type TestServer } from './server.ts'

/** What stories of examples happen on: a server that delivers, an app, and its programs as they are downloaded. */
export interface Stage {
  server: TestServer
  app: TestApp
  programs: Programs
}

/** Tells stories of the examples in a language, or says why they cannot run here. */
export function withPrograms(title: string, language: Language, stories: (at: Stage) => void): void {
  describe(title, { skip: missingRuntime(language) }, () => {
    const at = {} as Stage // whole before the first story begins
    before(async () => {
      at.server = await startServer({ worker: {}, env: LOOPBACK })
      at.app = await at.server.newApp()
      const { app, secret } = at.app
      at.programs = await downloadPrograms(at.server.url, language, { APP_KEY: app.appKey, APP_SECRET: secret })
    })
    after(async () => {
      await at.programs?.remove()
      await at.server?.stop()
    })
    stories(at)
  })
}
