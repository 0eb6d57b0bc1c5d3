import { after, before, describe } from 'node:test'
import type { SampleLanguage } from '../../src/pages/docs/languages.ts'
import { LOOPBACK } from './deliveries.ts'
import { downloadPrograms, missingRuntime, type Programs } from './program.ts'
import { startServer, type TestApp, type TestServer } from './server.ts'

/** A server with a worker, an app, and the downloaded programs. */
interface ExampleFixture {
  server: TestServer
  app: TestApp
  programs: Programs
}

/** Tests the examples of a language, or skips them with a reason. */
export function withPrograms(title: string, language: SampleLanguage, stories: (at: ExampleFixture) => void): void {
  describe(title, { skip: missingRuntime(language) }, () => {
    const at = {} as ExampleFixture // filled before the first test
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
