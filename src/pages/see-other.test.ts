import assert from 'node:assert/strict'
import { it } from 'node:test'
import { makeDeveloper } from '../../tests/support/developer.ts'
import { startServer } from '../../tests/support/server.ts'
import { disableApp } from '../apps/store.ts'

it('303: an address with signs that no header holds is led on to, escaped', async () => {
  const server = await startServer()
  try {
    const app = await server.newApp()
    const { visitor } = await makeDeveloper(server, app)
    await disableApp(server.store, app.app.appKey, true) // whose pages lead back, to where it says why
    const { status, headers } = await visitor.post(`/portal/${app.app.appKey}/webhooks/%C4%80%20x/prueba`)
    assert.equal(status, 303)
    assert.match(headers.location ?? '', /\/webhooks\/%C4%80%20x/)
  } finally {
    await server.stop()
  }
})
