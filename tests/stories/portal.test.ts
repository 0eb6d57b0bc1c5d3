import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { verifyWebhook } from '@rodado/client'
import type { Locator } from 'playwright-core'
import { startServer } from '../secrets/watched.ts'
import { assertAccessible } from '../support/axe.ts'
import { LOOPBACK } from '../support/deliveries.ts'
import { makeDeveloper } from '../support/developer.ts'
import { onPageOf, TELEPHONE } from '../support/pages.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import type { TestServer } from '../support/server.ts'
import { PASSWORD } from '../support/visitor.ts'

const MAX_ACTS = 15

describe('story: a developer’s first quarter of an hour', () => {
  let server: TestServer
  let receiver: Receiver
  before(async () => {
    receiver = await openReceiver()
    server = await startServer({ env: LOOPBACK, worker: {} })
  })
  after(async () => {
    await server?.stop()
    await receiver?.close()
  })

  it(`from signing in to a verified webhook, without documentation, in at most ${MAX_ACTS} actions, on a telephone`, async () => {
    const app = await server.newApp({ nombre: 'CRM del Litoral' })
    const { email } = await makeDeveloper(server, app)
    let acts = 0
    const act = <Done>(done: Promise<Done>) => {
      acts++
      return done
    }
    const click = (what: Locator) => act(what.click())
    const type = (what: Locator, text: string) => act(what.fill(text))

    // The receiver is a true one: what is not signed with the secret it was given, it refuses.
    let secret = ''
    receiver.answer(({ headers, body }) =>
      verifyWebhook(headers, body, secret).then(
        () => 200 as const,
        () => 401 as const,
      ),
    )

    await onPageOf(server, 'portal-telefono', TELEPHONE, async (page) => {
      await act(page.goto(`${server.url}/entrar`))
      await type(page.getByLabel('Correo'), email)
      await type(page.getByLabel('Contraseña', { exact: true }), PASSWORD)
      await click(page.getByRole('button', { name: 'Entrar' }))
      await page.getByRole('heading', { level: 1, name: 'Resumen' }).waitFor()

      const menu = page.getByRole('button', { name: 'Menú' })
      const places = page.getByRole('navigation', { name: 'CRM del Litoral' })
      await click(menu)
      await click(places.getByRole('link', { name: 'Webhooks' }))
      await click(page.getByRole('link', { name: 'Configurar consulta.recibida' }))
      await type(page.getByLabel('Dirección de su receptor'), `${receiver.url}/avisos`)
      await click(page.getByRole('button', { name: 'Configurar' }))
      secret = (await act(page.getByText(/^whsec_/).textContent())) ?? '' // copied into the receiver

      await click(page.getByRole('button', { name: 'Enviar una notificación de prueba' }))
      await page.getByText('El receptor la aceptó.').waitFor()
      await assertAccessible(page)

      await click(menu)
      await click(places.getByRole('link', { name: 'Puesta en marcha' }))
      await click(page.getByRole('button', { name: 'Enviar una notificación con firma falsa' }))
      await page.getByText('Su receptor rechazó la firma falsa, como corresponde.').waitFor()
      await server.usage.flush()
      for (const step of ['Configurar un webhook firmado', 'Recibir una notificación', 'Rechazar una firma falsa'])
        await page.getByRole('heading', { name: `Hecho: ${step}` }).waitFor()
      await assertAccessible(page)
    })
    assert.ok(acts <= MAX_ACTS, `${acts} acts`)
  })
})
