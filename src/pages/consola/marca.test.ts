import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { overflow, press, refused, TELEPHONE, withPages } from '../../../tests/support/pages.ts'
import { type MadeStaff, makeStaff } from '../../../tests/support/staff.ts'
import { visitor } from '../../../tests/support/visitor.ts'

const PATH = '/consola/marca'
const HOSTILE = '<b>"Autos" & \'Cía\'</b>'

describe('/consola/marca', () => {
  const { server, onPage } = withPages()
  let staff: MadeStaff
  before(async () => {
    staff = await makeStaff(server)
  })

  it('303: a name is text wherever it is shown, and the change is in the audit log', async () => {
    const answer = await staff.visitor.post(PATH, {
      Nombre: HOSTILE,
      Texto1: 'Términos & más',
      Url1: 'https://a.test/t',
    })
    assert.equal(answer.status, 303)
    const { text } = await visitor(server).get('/entrar')
    assert.match(text, /<title>Entrar · &lt;b>&quot;Autos&quot; &amp; 'Cía'&lt;\/b><\/title>/)
    assert.ok(!text.includes('<b>"') && !text.includes('Rodado'))
    assert.match(text, /<a href="https:\/\/a\.test\/t" rel="noopener">Términos &amp; más<\/a>/)
    const [noted] = await server.store.query<{ act: string }>(sql`select act from audit_log order by id desc limit 1`)
    assert.equal(noted?.act, 'marca.textos')
  })

  it('400: what is wrong is said, and nothing is changed', async () => {
    const bad = { Nombre: 'Otro', Color: '#ffd600', RemitenteMail: 'hola', SoporteUrl: 'http://a.test', Texto2: 'Sola' }
    const { status, text } = await staff.visitor.post(PATH, bad)
    assert.equal(status, 400)
    assert.match(text, /contraste es 1,28:1 y hace falta 4,5:1\. El más parecido que se lee bien es #[0-9a-f]{6}\./)
    assert.match(text, /Escriba una dirección de correo/)
    assert.match(text, /empiece con https:\/\//)
    assert.match(text, /<a href="#campo-Url2">Dirección 2: Cada enlace lleva un texto/)
    assert.doesNotMatch((await visitor(server).get('/entrar')).text, /Otro/)
  })

  it('200: a stylesheet of two colours, and of nothing else', async () => {
    const { status, headers, text } = await visitor(server).get('/assets/marca/colores/0b6b5d-62cbb8.css')
    assert.deepEqual(
      [status, headers['content-type'], headers['cache-control']],
      [200, 'text/css; charset=utf-8', 'no-cache'],
    )
    assert.match(text, /--accent:light-dark\(#0b6b5d,#62cbb8\)/)
    for (const path of ['colores/0b6b5d.css', 'colores/0b6b5d-62cbb8.css%7D', `${'0'.repeat(64)}.png`, 'x.png'])
      assert.equal((await visitor(server).get(`/assets/marca/${path}`)).status, 404, path)
  })

  it('in a browser: a colour is refused, the nearest one is accepted, and the page wears it', () =>
    onPage('console marca', { as: staff.visitor, ...TELEPHONE }, async (page) => {
      await page.goto(PATH)
      await assertAccessible(page)
      assert.equal(await overflow(page), 0)
      await page.getByLabel('Nombre del mercado').fill('Autoplaza')
      await page.getByLabel('Color sobre fondos claros').fill('#ff6600')
      await press(page, 'Guardar')
      await refused(page, 'No se lee bien')
      const [, nearest = ''] = /es (#[0-9a-f]{6})\./.exec((await page.getByRole('alert').textContent()) ?? '') ?? []
      await page.getByLabel('Color sobre fondos claros').fill(nearest)
      await page.getByLabel('Enlace 1').fill('Términos')
      await page.getByLabel('Dirección 1').fill('https://autoplaza.test/terminos')
      await press(page, 'Guardar')
      await page.getByText('Se guardó la marca.').waitFor()
      await assertAccessible(page)
      await page.getByRole('banner').getByRole('link', { name: 'Autoplaza' }).waitFor()
      await page.getByRole('link', { name: 'Términos' }).waitFor()
      const accent = await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
      assert.ok(String(accent).startsWith(`light-dark(${nearest},`))

      await press(page, 'Guardar las imágenes')
      await refused(page, 'Elija una imagen')
      const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })
      await page.getByLabel('Logo (opcional)').setInputFiles(file('logo.png', 'image/png', Buffer.from('<svg/>')))
      await press(page, 'Guardar las imágenes')
      await refused(page, 'No se aceptan SVG')
      await assertAccessible(page)
      const drawn = sharp({ create: { width: 300, height: 60, channels: 3, background: nearest } })
      await page
        .getByLabel('Logo (opcional)')
        .setInputFiles(file('logo.txt', 'text/plain', await drawn.webp().toBuffer()))
      await page.getByRole('button', { name: 'Guardar las imágenes' }).click()
      await page.getByText('Se guardó la marca.').waitFor()
      await assertAccessible(page)
      assert.equal(await overflow(page), 0)
      const logo = page.getByRole('banner').getByRole('img', { name: 'Autoplaza' })
      assert.deepEqual(await logo.evaluate((image) => Reflect.get(image, 'naturalWidth')), 300)
      await page.getByLabel('Quitar: Logo', { exact: true }).check()
      await press(page, 'Guardar las imágenes')
      await page.getByRole('banner').getByText('Autoplaza').waitFor()
    }))

  it('409, in a browser: what a colleague changed meanwhile is shown beside what was typed, and stays until it is saved again', () =>
    onPage('console marca conflict', { as: staff.visitor, ...TELEPHONE }, async (page) => {
      await page.goto(PATH)
      const colleague = await makeStaff(server)
      const before = await colleague.visitor.get(PATH)
      const Version = /name="Version" value="([\w-]+)"/.exec(before.text)?.[1] ?? assert.fail()
      assert.equal((await colleague.visitor.post(PATH, { Nombre: 'De Eva', Version })).status, 303)
      await page.getByLabel('Correo de atención al cliente').fill('soporte@autos.test')
      const name = await page.getByLabel('Nombre del mercado').inputValue()
      assert.notEqual(name, 'De Eva')
      await press(page, 'Guardar')
      await refused(page, 'Alguien cambió los datos')
      await page.getByText('Ahora dice: De Eva').waitFor()
      await assertAccessible(page)
      assert.equal(await overflow(page), 0)
      await page.getByRole('banner').getByRole('link', { name: 'De Eva' }).waitFor()
      assert.equal(await page.getByLabel('Nombre del mercado').inputValue(), name)
      await page.getByLabel('Nombre del mercado').fill('De Eva')
      await press(page, 'Guardar')
      await page.getByText('Se guardó la marca.').waitFor()
      await page.getByRole('banner').getByRole('link', { name: 'De Eva' }).waitFor()
      assert.equal(await page.getByLabel('Correo de atención al cliente').inputValue(), 'soporte@autos.test')
    }))

  it('413 and 415: a body that is too long, and one that is no form', async () => {
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
    const path = `${PATH}/imagenes`
    assert.equal((await staff.visitor.post(path, 'x'.repeat(900_000), multipart)).status, 413)
    assert.equal((await staff.visitor.post(path, 'nothing', multipart)).status, 415)
    const part = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n\r\n`
    assert.equal((await staff.visitor.post(path, `${part('a').repeat(101)}--x--\r\n`, multipart)).status, 400)
  })
})
