import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { depsOf, makeAgencia } from '../../tests/support/agencia.ts'
import { insertConsulta } from '../../tests/support/consulta.ts'
import { makeDeveloper } from '../../tests/support/developer.ts'
import { DESKTOP, TELEPHONE, withPages } from '../../tests/support/pages.ts'
import { makePublicacion } from '../../tests/support/publicacion.ts'
import { makeStaff } from '../../tests/support/staff.ts'
import { storePhoto } from '../../tests/support/stored-photo.ts'
import { type Visitor, visitor } from '../../tests/support/visitor.ts'
import { photoHref } from '../photos/photo.ts'
import { FIRST_ANSWER, samplesOf } from './landing/page.tsx'

/** HTML, CSS and scripts of a page as they travel. */
const MAX_BYTES = 100_000
/** Cumulative layout shift, rounded: up to 0.1 counts as good. */
const MAX_SHIFT = 0.001
/** In a load in which the parser paused. */
const MAX_PAUSED_SHIFT = 0.02
const LOADS = 3

const { server, onPage } = withPages()
let people: Record<'nobody' | 'agency' | 'developer' | 'staff', Visitor | undefined>
let portal = ''
let inquiry = ''
let aviso = 0
let photo = ''
before(async () => {
  const app = await server.newApp({ nombre: 'Gestor Norte' })
  const { agencia, mail } = await makeAgencia(depsOf(server), app.app)
  const urls = ['https://fotos.example/azul.jpg', 'https://fotos.example/atras.jpg']
  for (const [color, fotos] of [['Blanco'], ['Rojo'], ['Azul', urls]] as const) {
    aviso = (await makePublicacion(server.store, app.app, agencia, { color, fotos: [...(fotos ?? [])] })).id
    inquiry = (await insertConsulta(server.store, { agencia, fuente: app.app, auto: { Color: color } })).sid
  }
  await server.store.query(sql`update consultas set publicacion_id = ${aviso} where sid = ${inquiry}`)
  const [stored] = await Promise.all(
    urls.map((url) => storePhoto(server, { publicacionId: aviso, appId: app.app.id, url })),
  )
  photo = photoHref(stored ?? assert.fail(), 320, 'webp')
  const [{ visitor: developer }, { visitor: staff }] = [await makeDeveloper(server, app), await makeStaff(server)]
  portal = `/portal/${app.app.appKey}`
  people = { nobody: undefined, developer, staff, agency: await visitor(server).enter(mail) }
})

/** The bytes of the page itself, its stylesheet and its scripts, compressed as they were sent. */
const bytesOf = (page: Page) =>
  page.evaluate(() => {
    const entries = performance.getEntries() as PerformanceResourceTiming[]
    const own = entries.filter(({ entryType, name }) => entryType === 'navigation' || /\.(css|js)(\?|$)/.test(name))
    return own.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  })

const waitForPaint = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)

interface Shift {
  value: number
  parts: string[]
}

/** What moved while a page was loaded. */
const shiftsOf = (page: Page): Promise<Shift[]> =>
  page.evaluate(async () => {
    await document.fonts.ready
    const seen: Shift[] = []
    const observer = new PerformanceObserver((list) => {
      type Entry = PerformanceEntry & { value: number; sources: { node: Node | null }[] }
      for (const { value, sources } of list.getEntries() as Entry[]) {
        const parts = sources.map(({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent) ?? '')
        seen.push({ value, parts: parts.map((part) => part.slice(0, 80)) })
      }
    })
    observer.observe({ type: 'layout-shift', buffered: true })
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    observer.disconnect()
    return seen
  })

/**
 * Loads a page whose font and scripts come after the first paint, and checks that its parts stay where they are. A parser
 * that pauses may move them a little in one load; what the page itself does, it does in each.
 */
async function checkShift(page: Page, url: string): Promise<void> {
  await page.route(/\.(woff2|js)(\?|$)/, async (route) => {
    await waitForPaint(page)
    await route.continue()
  })
  let message = ''
  for (let load = 0; load < LOADS; load++) {
    await page.goto(url)
    const shifts = await shiftsOf(page)
    const total = shifts.reduce((sum, { value }) => sum + value, 0)
    message = `${url} moves at ${page.viewportSize()?.width}: ${JSON.stringify(shifts)}`
    assert.ok(total <= MAX_PAUSED_SHIFT, message)
    if (total <= MAX_SHIFT) return
  }
  assert.fail(message)
}

test('the ten most used pages are light, are painted before their scripts come, and nothing moves while they load', async () => {
  const pages = {
    nobody: ['/', '/docs/guia', '/entrar', `/aviso/${aviso}`],
    agency: ['/cuenta', '/cuenta/consultas', '/cuenta/publicaciones'],
    developer: [portal, `${portal}/entregas`],
    staff: ['/consola', '/consola/consultas'],
  }
  for (const [who, paths] of Object.entries(pages))
    for (const options of [DESKTOP, TELEPHONE])
      await onPage('liviana', { ...options, as: people[who as keyof typeof pages] }, async (page) => {
        for (const path of paths) {
          await checkShift(page, path)
          const bytes = await bytesOf(page)
          assert.ok(bytes > 5_000 && bytes < MAX_BYTES, `${path}: ${bytes} bytes`)
        }
      })
})

test('the header does not move when its second half comes after the first paint', async () => {
  let page: Page | undefined
  const proxy = http.createServer(async ({ url = '', headers }, response) => {
    const upstream = http.get(server.url + url, { headers: { ...headers, 'accept-encoding': 'identity' } })
    upstream.on('response', async (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (!String(answer.headers['content-type']).includes('html')) return answer.pipe(response)
      const html = await text(answer)
      const half = html.indexOf('<nav id="principal"')
      assert.ok(half > 0)
      response.write(html.slice(0, half))
      await waitForPaint(page ?? assert.fail())
      response.end(html.slice(half))
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  for (const options of [DESKTOP, TELEPHONE])
    await onPage('encabezado', { ...options, as: people.developer }, async (opened) => {
      page = opened
      await checkShift(page, `${base}${portal}/entregas`)
    })
  proxy.closeAllConnections()
  proxy.close()
})

test('303 /tema: a reader chooses a theme without scripts, it is kept, and the system decides again', async () => {
  const isDark = (page: Page) =>
    page.locator('body').evaluate((body) => Number(/\d+/.exec(getComputedStyle(body).backgroundColor)?.[0]) < 40)
  await onPage('tema', { colorScheme: 'light', javaScriptEnabled: false }, async (page) => {
    await page.goto('/docs/guia?lenguaje=php')
    assert.equal(await isDark(page), false)
    await page.getByRole('button', { name: 'Tema oscuro' }).click()
    await page.waitForURL('**/docs/guia?lenguaje=php')
    assert.equal(await isDark(page), true)
    for (const path of ['/', '/entrar', '/nada']) {
      await page.goto(path)
      assert.equal(await isDark(page), true, path)
      const pressed = page.locator('[name=tema][aria-pressed=true]')
      assert.deepEqual(await pressed.allInnerTexts(), ['Tema oscuro'], path)
    }
    await page.getByRole('button', { name: 'Tema del sistema' }).click()
    assert.equal(await isDark(page), false)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await isDark(page), true)
    await page.getByRole('button', { name: 'Tema claro' }).click()
    assert.equal(await isDark(page), false)
  })
})

test('303 /tema: leads to a page of this server, whatever the Referer says', async () => {
  const go = async (referer: string) =>
    (await visitor(server).post('/tema', { tema: 'oscuro' }, { referer })).headers.location
  assert.equal(await go(`${server.url}/docs?x=1`), '/docs?x=1')
  for (const other of ['https://otro.test//otro.test', `${server.url}//otro.test`, 'nada', ''])
    assert.equal(await go(other), '/', other)
})

test('on paper an inquiry says who asks and about what, and a listing shows the car, without menus and forms', async () => {
  await onPage('papel', { ...DESKTOP, as: people.agency }, async (page) => {
    await page.emulateMedia({ media: 'print' })
    await page.goto(`/cuenta/consultas/${inquiry}`)
    for (const text of ['Llamar al +54 9 341 555-0134', 'Escribir a lucia@correo.test', 'Fiat Cronos'])
      assert.ok(await page.getByText(text).first().isVisible(), text)
    assert.equal(await page.getByRole('button').count(), 0)
    assert.equal(await page.getByRole('navigation').count(), 0)
    const arrived = page.locator('main time').first()
    assert.equal(await arrived.getByText(/^(hoy|ayer),/).isVisible(), false, 'another day it is read')
    assert.match((await arrived.getAttribute('data-paper')) ?? '', /^\d+ de \p{L}+ de 20\d\d, \d\d:\d\d$/u)

    await page.goto(`/aviso/${aviso}`)
    assert.ok(await page.getByRole('heading', { level: 1, name: /Fiat Cronos/ }).isVisible())
    assert.equal(await page.getByRole('textbox').count(), 0)
  })
})

test('the inbox has columns only where a name fits in one of them', async () => {
  await onPage('bandeja-ancho', { ...DESKTOP, as: people.agency }, async (page) => {
    await page.goto('/cuenta/consultas')
    const columns = () =>
      page
        .locator('.inquiries .about')
        .first()
        .evaluate((row) => getComputedStyle(row).gridTemplateColumns.split(' '))
    assert.equal((await columns()).length, 3)
    await page.setViewportSize({ width: 768, height: 1024 })
    assert.equal((await columns()).length, 1)
  })
})

test('every list with cars has a picture of each: the photo of its listing, or else an outline', async () => {
  await server.store.query(sql`update consultas set estado = 'nueva'`) // one that was opened waits no more
  /** How many pictures a page has, and how many of them are the photo. */
  async function picturesOf(who: 'agency' | 'staff', path: string): Promise<[number, number]> {
    const { text } = (await people[who]?.get(path)) ?? assert.fail()
    return [text.split('class="thumbnail"').length - 1, text.split(photo).length - 1]
  }
  for (const path of ['/cuenta', '/cuenta/consultas', '/cuenta/consultas?q=fiat', '/cuenta/publicaciones'])
    assert.deepEqual(await picturesOf('agency', path), [3, 1], path)
  for (const path of ['/consola/consultas', '/consola/publicaciones'])
    assert.deepEqual(await picturesOf('staff', path), [3, 1], path)
  for (const who of ['agency', 'staff'] as const) assert.deepEqual(await picturesOf(who, `/ir?q=${inquiry}`), [1, 1])
  assert.deepEqual(await picturesOf('staff', `/ir?q=${aviso}`), [1, 1])

  await server.store.query(sql`
    insert into consulta_reminders (sid, account_id, agencia_id, due_at)
    select c.sid, a.id, c.agencia_id, now() from consultas c join accounts a on a.email = c.operador where c.sid = ${inquiry}`)
  assert.deepEqual(await picturesOf('agency', '/cuenta/consultas'), [4, 2])
})

test('200: the samples of the first page work in their order, and answer as it says', async (test) => {
  if (spawnSync('jq', ['--version']).error) return test.skip('needs jq')
  const { app, secret } = await server.newApp()
  const { token, call } = samplesOf(server.url)
  const env = { ...process.env, APP_KEY: app.appKey, APP_SECRET: secret }
  const { stdout } = await promisify(execFile)('bash', ['-c', `${token}\n${call}`], { env })
  assert.deepEqual(JSON.parse(stdout), FIRST_ANSWER)
})
