import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { makeDeveloper } from '../../../tests/support/developer.ts'
import { download, press, refused, search, withPages } from '../../../tests/support/pages.ts'
import { type MadeStaff, makeStaff } from '../../../tests/support/staff.ts'
import { until } from '../../../tests/support/until.ts'
import { makeAccount, visitor } from '../../../tests/support/visitor.ts'
import { createSitio, listSitios } from '../../sitios/store.ts'

const NAME = 'Nombre de un sitio'

describe('the marketplace’s own sites', () => {
  const { server, onPage } = withPages()
  let staff: MadeStaff
  before(async () => {
    staff = await makeStaff(server)
  })

  const statusWith = async (sitioKey: string) =>
    (await fetch(`${server.url}/interno/v1/avisos`, { headers: { authorization: `Bearer ${sitioKey}` } })).status

  it('201: a site is made, its key works, is shown once, and both are in the audit log', async () => {
    const [, ultimo = ''] = /name="ultimo" value="(\d+)"/.exec((await staff.visitor.get('/consola/sitios')).text) ?? []
    const form = { Nombre: NAME, Modo: 'produccion', ultimo }
    const [made, twin] = await Promise.all([1, 2].map(() => staff.visitor.post('/consola/sitios', form))).then((both) =>
      both.sort((a, b) => a.status - b.status),
    )
    assert.ok(made && twin)
    assert.deepEqual([made.status, twin.status], [201, 303], 'sent twice, it makes one')
    assert.equal((await staff.visitor.post('/consola/sitios', form)).status, 303, 'loaded again, none')
    assert.equal((await listSitios(server.store)).filter(({ nombre }) => nombre === NAME).length, 1)
    const sitioKey = /sitio_[\w-]{43}/.exec(made.text)?.[0] ?? ''
    await until(async () => (await statusWith(sitioKey)) === 200)

    const list = await staff.visitor.get('/consola/sitios')
    assert.equal(list.status, 200)
    assert.ok(list.text.includes(NAME))
    assert.ok(!list.text.includes(sitioKey), 'the key is nowhere else')
    const [noted] = await server.store.query<{ act: string; account_id: number }>(
      sql`select act, account_id from audit_log where via = 'consola' order by id desc limit 1`,
    )
    assert.deepEqual(noted, { act: 'sitio.crear', account_id: staff.account.id })
  })

  it('500: without its entry in the audit log nothing is changed', async () => {
    const [, ultimo = ''] = /name="ultimo" value="(\d+)"/.exec((await staff.visitor.get('/consola/sitios')).text) ?? []
    const post = () => staff.visitor.post('/consola/sitios', { Nombre: 'Sin constancia', Modo: 'prueba', ultimo })
    const exists = async () => (await listSitios(server.store)).some(({ nombre }) => nombre === 'Sin constancia')
    await server.store.query(sql`alter table audit_log add constraint none check (act <> 'sitio.crear') not valid`)
    assert.deepEqual([(await post()).status, await exists()], [500, false])
    await server.store.query(sql`alter table audit_log drop constraint none`)
    assert.deepEqual([(await post()).status, await exists()], [201, true])
  })

  it('200: sites are found by name, mode and key, read page by page, newest first, and as CSV', async () => {
    await server.store.query(sql`
      insert into sitios (nombre, modo, key_hash, revoked_at)
      select 'Vidriera ' || n, case when n = 7 then 'produccion' else 'prueba' end, sha256(n::text::bytea),
        case when n = 9 then now() end
      from generate_series(1, 30) n`)
    const list = async (path: string) => {
      const { text } = await staff.visitor.get(path)
      const way = (label: string) => new RegExp(`href="([^"]+)">\\s*${label}`).exec(text)?.[1]?.replaceAll('&amp;', '&')
      return {
        names: [...text.matchAll(/<strong>Vidriera (\d+)</g)].map(([, name]) => Number(name)),
        on: way('Página siguiente'),
        back: way('← Página anterior'),
        text,
      }
    }
    const first = await list('/consola/sitios?q=VIDRIERA')
    assert.deepEqual([first.names.length, first.names[0], first.back], [25, 30, undefined])
    const second = await list(first.on ?? '')
    assert.deepEqual([second.names, second.on], [[5, 4, 3, 2, 1], undefined])
    assert.deepEqual((await list(second.back ?? '')).names, first.names)
    assert.deepEqual((await list('/consola/sitios?q=vidriera&modo=produccion')).names, [7])
    assert.deepEqual((await list('/consola/sitios?estado=revocadas')).names, [9])
    const none = await list('/consola/sitios?q=nada%20asi')
    assert.match(none.text, /No hay sitios con esos filtros/)
    assert.equal(
      /name="ultimo" value="(\d+)"/.exec(none.text)?.[1],
      String((await listSitios(server.store)).at(-1)?.id),
    )

    const csv = await staff.visitor.get('/consola/sitios?q=vidriera&formato=csv')
    assert.match(csv.headers['content-type'] ?? '', /^text\/csv/)
    const [head, newest, ...more] = csv.text.trim().split('\r\n')
    assert.equal(head, '"Número";"Sitio";"Modo";"Creado";"Clave de API";"Revocada"')
    assert.match(newest ?? '', /^"\d+";"Vidriera 30";"prueba";"20[\d-]+ [\d:]+";"vigente";""$/)
    assert.equal(more.length, 29, 'a file has them all')
  })

  it('400: a site without a name or a mode that there is not, and what is wrong is said', async () => {
    const answer = await staff.visitor.post('/consola/sitios', { Nombre: '  ', Modo: 'ensayo' })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /Falta el nombre\./)
    assert.match(answer.text, /Elija producción o prueba\./)
    assert.equal((await staff.visitor.post('/consola/sitios', { Nombre: 'x'.repeat(121), Modo: 'prueba' })).status, 400)
  })

  it('303: a revoked key is refused, and cannot be revoked again', async () => {
    const { sitio, sitioKey } = await createSitio(server.store, { nombre: 'Viejo', modo: 'produccion' })
    await until(async () => (await statusWith(sitioKey)) === 200)
    const path = `/consola/sitios/${sitio.id}/revocar`
    assert.match((await staff.visitor.get(path)).text, /¿Revocar la clave de API de Viejo\?/)
    assert.equal((await staff.visitor.post(path)).status, 303)
    await until(async () => (await statusWith(sitioKey)) === 401)
    assert.equal((await staff.visitor.post(path)).status, 404)
    assert.equal((await staff.visitor.get('/consola/sitios/nada/revocar')).status, 404)
  })

  it('404: nobody but staff sees any of it; who is not signed in is led there', async () => {
    await makeAccount(server, { email: 'vendedor@sitios.test' })
    const developer = await makeDeveloper(server, await server.newApp())
    for (const other of [await visitor(server).enter('vendedor@sitios.test'), developer.visitor]) {
      assert.equal((await other.get('/consola/sitios')).status, 404)
      assert.equal((await other.post('/consola/sitios', { Nombre: 'x', Modo: 'prueba' })).status, 404)
    }
    const { status, headers } = await visitor(server).get('/consola/sitios')
    assert.deepEqual([status, headers.location], [303, '/entrar?volver=%2Fconsola%2Fsitios'])
  })

  describe('in a browser', () => {
    it('one of the staff makes a site, keeps its key, and revokes it', () =>
      onPage('console sitios', { as: staff.visitor }, async (page) => {
        await page.goto('/consola/sitios')
        await assertAccessible(page)
        await press(page, 'Crear y ver la clave de API')
        await refused(page, 'Falta el nombre')
        const making = page.locator('form').filter({ hasText: 'Crear y ver la clave de API' })
        await making.getByLabel('Nombre').fill('Sitio del navegador')
        await making.getByLabel('Modo').selectOption('Prueba')
        await page.getByRole('button', { name: 'Crear y ver la clave de API' }).click()
        await page.getByRole('heading', { name: 'Sitio del navegador' }).waitFor()
        await page.getByText(/^sitio_/).waitFor()
        await assertAccessible(page)
        await page.getByRole('link', { name: 'Ya la guardé' }).click()
        await page.getByRole('link', { name: 'Revocar la clave de API de Sitio del navegador' }).click()
        await assertAccessible(page)
        await page.getByRole('button', { name: 'Sí, revocar' }).click()
        await page.getByText('Se revocó la clave de API').waitFor()
        await page.getByLabel('Clave').selectOption('Revocadas')
        await search(page, { Sitio: 'del navegador' })
        await page
          .getByRole('row', { name: /Sitio del navegador/ })
          .getByText('revocada')
          .waitFor()
        await assertAccessible(page)
        const { lines } = await download(page)
        assert.match(lines.at(-1) ?? '', /"Sitio del navegador";"prueba"/)
      }))
  })
})
