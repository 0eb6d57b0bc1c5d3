import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { callerFor } from '../../../../tests/support/caller.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { withPages } from '../../../../tests/support/pages.ts'
import type { TestApp } from '../../../../tests/support/server.ts'
import { until } from '../../../../tests/support/until.ts'
import type { Visitor } from '../../../../tests/support/visitor.ts'
import { liveSecrets } from '../../../apps/secrets.ts'

describe('an app’s keys in the portal', () => {
  const { server, onPage } = withPages()

  const keysOf = ({ app }: TestApp) => `/portal/${app.appKey}/claves`
  const newest = async (who: Visitor, app: TestApp) =>
    /name="vigente" value="(\d+)"/.exec((await who.get(`${keysOf(app)}/rotar`)).text)?.[1] ?? ''
  const secretIn = (text: string) => /id="secreto"[^>]*>([^<]+)</.exec(text)?.[1] ?? ''
  const live = ({ app }: TestApp) => liveSecrets(server.store, server.seal, app.id)
  async function signsWith({ app }: TestApp, secret: string): Promise<number> {
    const caller = callerFor(server.url, app.appKey, secret, {
      prefix: server.config.signaturePrefix,
      clock: () => new Date(),
    })
    return (await caller.call('GET', '/v3/colores')).status
  }

  it('200: the AppKey whole, of each secret its last characters; never the secret', async () => {
    const app = await server.newApp()
    const { visitor: dana } = await makeDeveloper(server, app)
    const { status, text } = await dana.get(keysOf(app))
    assert.equal(status, 200)
    assert.ok(text.includes(app.app.appKey))
    assert.ok(text.includes(`…${app.secret.slice(-4)}`))
    assert.ok(!text.includes(app.secret))
  })

  it('201: a new secret is shown once and good at once; the former one stays good', async () => {
    const app = await server.newApp()
    const { visitor: dana, account } = await makeDeveloper(server, app)
    const { status, text } = await dana.post(`${keysOf(app)}/rotar`, { vigente: await newest(dana, app) })
    assert.equal(status, 201)
    const secret = secretIn(text)
    await until(async () => (await signsWith(app, secret)) === 200)
    assert.equal(await signsWith(app, app.secret), 200)
    assert.ok(!(await dana.get(keysOf(app))).text.includes(secret))
    const [noted] = await server.store.query<{ act: string; via: string; detail: unknown }>(sql`
      select act, via, detail from audit_log where account_id = ${account.id} order by id desc limit 1`)
    assert.deepEqual([noted?.act, noted?.via], ['app.clave-nueva', 'portal'])
    assert.ok(!JSON.stringify(noted).includes(secret))
  })

  it('303: a secret has a name and its last use, to the minute; 404 for one of another app', async () => {
    const app = await server.newApp()
    const { visitor: dana } = await makeDeveloper(server, app)
    assert.match((await dana.get(keysOf(app))).text, /Sin uso registrado/)
    const vigente = await newest(dana, app)
    const made = await dana.post(`${keysOf(app)}/rotar`, { vigente, Nombre: 'Servidor <b>' })
    assert.equal(made.status, 201)
    assert.match((await dana.get(keysOf(app))).text, /Servidor &lt;b>/)
    const [latest, former] = await live(app)
    assert.equal((await dana.post(`${keysOf(app)}/${latest?.id}/nombre`, { Nombre: 'Respaldo' })).status, 303)
    assert.match((await dana.get(keysOf(app))).text, /Respaldo/)
    const other = await live(await server.newApp())
    assert.equal((await dana.post(`${keysOf(app)}/${other[0]?.id}/nombre`, { Nombre: 'x' })).status, 404)

    const usedAt = () =>
      server.store.query<{ id: number }>(sql`
        select secret_id as id from app_secret_uses join app_secrets s on s.id = secret_id where s.app_id = ${app.app.id}`)
    assert.equal(await signsWith(app, 'x'.repeat(43)), 401)
    await server.usage.flush()
    assert.deepEqual(await usedAt(), [])
    assert.equal(await signsWith(app, app.secret), 200)
    await server.usage.flush()
    assert.deepEqual(await usedAt(), [{ id: former?.id }])
    const { text } = await dana.get(keysOf(app))
    assert.equal(text.match(/Sin uso registrado/g)?.length, 1)
  })

  it('201, 409: a double click makes one secret and shows it twice; a form that is sent again later is refused', async () => {
    const app = await server.newApp()
    const { visitor: dana } = await makeDeveloper(server, app)
    const vigente = await newest(dana, app)
    const send = () => dana.post(`${keysOf(app)}/rotar`, { vigente })
    const [first, second] = await Promise.all([send(), send()])
    const [made] = await live(app)
    for (const { status, text } of [first, second])
      assert.deepEqual([status, text.includes(made?.secret ?? '?')], [201, true])
    await server.store.query(
      sql`update app_secrets set created_at = now() - interval '1 minute' where id = ${made?.id}`,
    )
    assert.equal((await send()).status, 409)
    for (const form of [{}, { vigente: 'x' }, { vigente: '1e3' }, { vigente: '99999999999' }])
      assert.equal((await dana.post(`${keysOf(app)}/rotar`, form)).status, 409)
    assert.equal((await live(app)).length, 2)
    assert.equal(await signsWith(app, app.secret), 200)
  })

  it('303: a secret is revoked after a question, and is refused within a second; the last one cannot be', async () => {
    const app = await server.newApp()
    const { visitor: dana } = await makeDeveloper(server, app)
    const [{ id } = { id: 0 }] = await live(app)
    assert.equal((await dana.post(`${keysOf(app)}/${id}/revocar`)).status, 409)
    await dana.post(`${keysOf(app)}/rotar`, { vigente: String(id) })
    assert.match((await dana.get(`${keysOf(app)}/${id}/revocar`)).text, /No se puede deshacer/)
    const { status, headers } = await dana.post(`${keysOf(app)}/${id}/revocar`)
    assert.deepEqual([status, headers.location], [303, keysOf(app)])
    await until(async () => (await signsWith(app, app.secret)) === 401)
    assert.equal((await dana.post(`${keysOf(app)}/${id}/revocar`)).status, 404)
    assert.equal((await dana.post(`${keysOf(app)}/x/revocar`)).status, 404)
  })

  it('403: a desarrollador sees the keys and changes none', async () => {
    const app = await server.newApp()
    const { visitor: luis } = await makeDeveloper(server, app, { rol: 'desarrollador' })
    const shown = (await luis.get(keysOf(app))).text
    assert.match(shown, /Solo un titular de la app/)
    assert.doesNotMatch(shown, /Crear una clave de API|Revocar/)
    const [{ id } = { id: 0 }] = await live(app)
    for (const page of ['rotar', `${id}/revocar`]) {
      assert.equal((await luis.get(`${keysOf(app)}/${page}`)).status, 403)
      assert.equal((await luis.post(`${keysOf(app)}/${page}`, { vigente: String(id) })).status, 403)
    }
    assert.equal((await live(app)).length, 1)
  })

  it('404: another app’s secret is not revoked through one’s own app', async () => {
    const [own, other] = [await server.newApp(), await server.newApp()]
    const { visitor: dana } = await makeDeveloper(server, own)
    await dana.post(`${keysOf(own)}/rotar`, { vigente: await newest(dana, own) })
    const [{ id } = { id: 0 }] = await live(other)
    assert.equal((await dana.post(`${keysOf(own)}/${id}/revocar`)).status, 404)
    assert.equal((await live(other)).length, 1)
  })

  it('in a browser: a key is made, copied, and the former one revoked, by what the page says', async () => {
    const app = await server.newApp()
    const { visitor: dana } = await makeDeveloper(server, app)
    const options = { as: dana, permissions: ['clipboard-read', 'clipboard-write'] }
    await onPage('portal-claves', options, async (page) => {
      await page.goto(keysOf(app))
      await assertAccessible(page)
      await page.getByRole('link', { name: 'Crear una clave de API' }).click()
      await page.getByRole('button', { name: 'Crear y ver la clave de API' }).click()
      await assertAccessible(page)
      const secret = await page.locator('#secreto').textContent()
      // Other test processes use the clipboard of the shared browser too.
      await until(async () => {
        await page.getByRole('button', { name: 'Copiar el AppSecret' }).click()
        await page.getByText('Copiado').waitFor()
        return (await page.evaluate('navigator.clipboard.readText()')) === secret
      })
      await page.getByRole('link', { name: 'Ya lo guardé' }).click()
      await page.getByRole('link', { name: `Revocar la que termina en ${app.secret.slice(-4)}` }).click()
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Sí, revocar' }).click()
      await page.getByText('Se revocó la clave de API').waitFor()
      assert.equal((await live(app)).length, 1)
    })
  })
})
