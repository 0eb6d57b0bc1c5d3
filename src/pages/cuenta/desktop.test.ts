import { before, test } from 'node:test'
import { dailyWork } from '../../../tests/support/agency-account.ts'
import { DESKTOP, withPages } from '../../../tests/support/pages.ts'
import type { TestApp } from '../../../tests/support/server.ts'

const { server, onPage } = withPages()
let app: TestApp
before(async () => {
  app = await server.newApp({ nombre: 'Gestor Norte' })
})

test('an administrator does a morning’s work at a desk', () =>
  onPage('cuenta-escritorio', DESKTOP, (page) => dailyWork(server, app, page)))
