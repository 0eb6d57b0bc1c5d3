import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { findAccount } from '../../src/accounts/store.ts'
import { inLocale, LOCALES, type Locale } from '../../src/i18n/locale.ts'
import { type MessageKey, readCatalogue, t } from '../../src/i18n/messages.tsx'
import { setPaquete } from '../../src/resources/agencias/paquetes.ts'
import { agenciaOfAccount } from '../../src/resources/agencias/read.ts'
import { consultaWriter } from '../../src/resources/consultas/emails.ts'
import { startServer } from '../secrets/watched.ts'
import { depsOf, invitedToken, newMail } from '../support/agencia.ts'
import { assertAccessible } from '../support/axe.ts'
import { hook, LOOPBACK, storeEvents, tried } from '../support/deliveries.ts'
import { makeDeveloper } from '../support/developer.ts'
import { LARGE_PAQUETE } from '../support/listing.ts'
import { DESKTOP, onPageOf } from '../support/pages.ts'
import { makePublicacion } from '../support/publicacion.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { makeStaff } from '../support/staff.ts'
import { PASSWORD, type Visitor, visitor } from '../support/visitor.ts'

const BROWSER_LOCALES: Record<Locale, string> = { es: 'es-AR', pt: 'pt-BR', en: 'en-GB' }

/** Spanish words that the other language does not have. */
const SPANISH: Record<Exclude<Locale, 'es'>, RegExp> = {
  pt: /(?<![\p{L}\p{N}_./@-])(el|El|los|Los|las|Las|y|una|Una|usted|Usted|del|con|sin|Sin|hay|qué|cómo|más|muy|también|todavía|Todavía|hasta|Hasta|su|sus|Correo|Contraseña|Agencia)(?![\p{L}\p{N}_./@-])/gu,
  en: /(?<![\p{L}\p{N}_./@-])(el|El|los|Los|las|Las|y|una|Una|usted|Usted|del|con|de|para|que|por|hay|qué|cómo|más|también|todavía|Todavía|hasta|Hasta|su|sus|Correo|Contraseña|Guardar|Agencia)(?![\p{L}\p{N}_./@-])/gu,
}
/** Names that are Spanish in every language: provinces, cities and an authority. */
const NAMES =
  /<datalist[\s\S]*?<\/datalist>|(Tierra del Fuego|Santiago del Estero)[^<]*|Ciudad Autónoma de Buenos Aires|Agencia de Acceso a la Información Pública/g
/** A key of a catalogue where its text should be. */
const KEYS = new Set<string>(readCatalogue('es').keys())

const SPANISH_TEXTS = new Set(readCatalogue('es').values())
const OWN_TEXTS = { pt: allTexts('pt'), en: allTexts('en') }
function allTexts(locale: Locale): string {
  return [...readCatalogue(locale).values()].join('\n')
}
/** True for a Spanish text that the other language has in other words. */
const isSpanish = (locale: keyof typeof OWN_TEXTS, line: string): boolean =>
  SPANISH_TEXTS.has(line) && !OWN_TEXTS[locale].includes(line)

/** What people read or hear of a page, without code and what the API says in Spanish to everybody. */
const shownIn = (html: string): string =>
  html
    .replace(/<(script|style|code|pre)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<li\b[^>]* lang="es"[\s\S]*?<\/li>/g, ' ')
    .replace(NAMES, ' ')
    .replace(/\s(?:aria-label|title|placeholder|alt|data-done|data-failed)="([^"]*)"/g, '> $1 <')
    .replace(/<[^>]+>/g, ' \n ')

/** Fails where a page is in another language than it should be. */
function assertIn(locale: Locale, html: string, path: string): void {
  assert.equal(/<html lang="(\w+)"/.exec(html)?.[1], locale, path)
  const shown = shownIn(html)
  assert.deepEqual(
    (shown.match(/[a-z]+(?:\.[\w-]+)+/g) ?? []).filter((word) => KEYS.has(word)),
    [],
    `keys in ${path}`,
  )
  if (locale === 'es') return
  const lines = shown.split('\n').map((line) => line.trim())
  assert.deepEqual(
    lines.filter((line) => line.match(SPANISH[locale]) || isSpanish(locale, line)),
    [],
    `Spanish in ${path}`,
  )
}

/** The pages of a menu. The documentation, its second list, has names of the API in Spanish. */
const menuOf = (html: string): string[] =>
  [...(/<nav id="menu"[\s\S]*?<\/ul>/.exec(html)?.[0] ?? '').matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href)

describe('story: a visitor, a dealership, a developer and the staff, each in three languages', () => {
  let server: TestServer
  let receiver: Receiver
  let app: TestApp
  /** Its receiver answered 500. */
  let delivery: string
  before(async () => {
    receiver = await openReceiver()
    receiver.answer(500)
    server = await startServer({ env: LOOPBACK, worker: {} })
    app = await server.newApp({ nombre: 'Gestor' })
    await hook(server, app, 'agencia.modificada', receiver.url)
    const ids = await storeEvents(server, app, 'agencia.modificada')
    await tried(server, ids, 1)
    delivery = ids[0] ?? ''
    const { status } = await app.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: 'x', Nombre: 5 }) })
    assert.equal(status, 400)
  })
  after(async () => {
    await server?.stop()
    await receiver?.close()
  })

  async function assertPage(page: Page, locale: Locale): Promise<void> {
    assertIn(locale, await page.content(), page.url())
    if (locale !== 'es') await assertAccessible(page) // in Spanish the tests of each page do
  }

  /** Every page of the menu of the first page, and more. */
  async function assertPages(locale: Locale, who: Visitor, first: string, more: string[] = []): Promise<void> {
    const get = (path: string) => who.get(path, { 'accept-language': locale, accept: 'text/html' })
    const menu = menuOf((await get(first)).text)
    assert.ok(menu.length > 5 || first === '/', `${first} has a menu`)
    for (const path of [first, ...menu, ...more]) assertIn(locale, (await get(path)).text, path)
  }

  for (const locale of LOCALES) {
    const text = (key: MessageKey, values?: Record<string, string>) => inLocale(locale, () => t(key, values))
    const options = { ...DESKTOP, locale: BROWSER_LOCALES[locale] }
    const titled = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

    it(`${locale}: a dealership registers, a visitor asks about its car, and the dealership reads the inquiry`, async () => {
      const body = { AdminMail: newMail(), Nombre: 'Lira', AdminNombre: 'Ana', Region: 'Santa Fe', Ciudad: 'Rosario' }
      const token = await invitedToken(depsOf(server), app.app, body)
      await onPageOf(server, `languages-${locale}-agency`, options, async (page) => {
        await page.goto(`${server.url}/registro/${token}`)
        await assertPage(page, locale)
        await page.getByLabel(text('comun.field.lastName'), { exact: true }).fill('Paz')
        await page.getByLabel(text('registro.form.choosePassword'), { exact: true }).fill(PASSWORD)
        await press(page, text('registro.form.button'))
        await titled(page, 'Lira')
        await page.getByRole('status').getByText(text('notices.registrada')).waitFor()
        await assertPage(page, locale)

        const account = await findAccount(server.store, 'produccion', body.AdminMail)
        assert.ok(account)
        assert.equal(account.idioma, locale, 'the language of emails is that of the form')
        const agencia = await agenciaOfAccount(server.store, account)
        assert.ok(agencia)
        await setPaquete(server.store, agencia.id, { ...LARGE_PAQUETE, nombre: 'Plan 50' })
        const sid = await askAbout((await makePublicacion(server.store, app.app, agencia)).id)
        await page.goto(`${server.url}/cuenta/consultas`)
        await page.getByRole('link', { name: 'Quebracho' }).first().click()
        await page.waitForURL(`**/cuenta/consultas/${sid}`)
        await assertPage(page, locale)
        await assertPages(locale, await visitor(server).enter(body.AdminMail), '/cuenta', [`/cuenta/consultas/${sid}`])
      })
    })

    /** A visitor fills in the form of a listing and gets a receipt; returns the inquiry's sid. */
    async function askAbout(aviso: number): Promise<string> {
      const email = newMail('quebracho')
      await onPageOf(server, `languages-${locale}-visitor`, options, async (page) => {
        await page.goto(`${server.url}/aviso/${aviso}/consultar`)
        await assertPage(page, locale)
        await page.getByLabel(text('aviso.form.firstName'), { exact: true }).fill('Quebracho')
        await page.getByLabel(text('aviso.form.email'), { exact: true }).fill(email)
        await page.locator('input[name="Consentimiento"]').check()
        await press(page, text('aviso.form.send'))
        await titled(page, text('aviso.thanks.title'))
        await assertPage(page, locale)
      })
      const [row] = await server.store.query<{ sid: string }>(sql`select sid from consultas where email = ${email}`)
      assert.ok(row)
      const write = consultaWriter(server.store, server.config)
      const receipt = await write({ kind: 'consulta-recibo', to: email, sid: row.sid })
      assertIn(locale, receipt?.html ?? '', 'the receipt')
      return row.sid
    }

    it(`${locale}: a developer signs in and looks at a refused call and a failed delivery`, async () => {
      const { email, visitor: developer } = await makeDeveloper(server, app)
      const portal = `/portal/${app.app.appKey}`
      await onPageOf(server, `languages-${locale}-developer`, options, async (page) => {
        await page.goto(`${server.url}/entrar`)
        await assertPage(page, locale)
        await page.getByLabel(text('entrar.email'), { exact: true }).fill(email)
        await page.getByLabel(text('entrar.password'), { exact: true }).fill(PASSWORD)
        await press(page, text('entrar.signIn'))
        await titled(page, text('portal.nav.summary'))
        await assertPage(page, locale)
        await server.usage.calls.flush()
        await page.goto(`${server.url}${portal}/llamadas?estado=400`)
        await page.locator('tbody a').first().click()
        await page.getByRole('heading', { name: text('problema.title.solicitud-invalida') }).waitFor()
        await page.getByText(text('problema.invalid')).waitFor()
        await page.getByText(text('portal.calls.value.string', { length: '1' })).waitFor()
        await assertPage(page, locale)
        await page.goto(`${server.url}${portal}/entregas/${delivery}`)
        await page
          .locator('#intentos')
          .getByText(text('entregas.error.status', { status: '500' }))
          .first()
          .waitFor()
        await assertPage(page, locale)
      })
      await assertPages(locale, developer, portal, [`${portal}/webhooks/consulta.recibida`])
    })

    it(`${locale}: the staff changes the console’s language and opens an app; public pages are in that of the browser`, async () => {
      const { visitor: staff } = await makeStaff(server)
      await onPageOf(server, `languages-${locale}-staff`, { as: staff, ...options }, async (page) => {
        await page.goto('/consola')
        await titled(page, text('consola.overview.title'))
        await assertPage(page, locale)
        const [next = 'es'] = LOCALES.filter((each) => each !== locale)
        await page.locator(`button[name="idioma"][value="${next}"]`).first().click()
        await titled(
          page,
          inLocale(next, () => t('consola.overview.title')),
        )
        await page.goto('/consola/apps')
        assert.equal(await page.locator('html').getAttribute('lang'), next, 'the choice is kept')
        await page.locator(`button[name="idioma"][value="${locale}"]`).first().click()
        await titled(page, text('consola.apps.title'))
        await page.getByRole('link', { name: 'Gestor' }).first().click()
        await titled(page, 'Gestor')
        await assertPage(page, locale)
      })
      const ofApp = `/consola/apps/${app.app.appKey}`
      const more = [ofApp, `${ofApp}/deshabilitar`, '/consola/apps/nueva', '/consola/agencias/invitaciones']
      await assertPages(locale, staff, '/consola', more)
      const docs = ['/docs/guia', '/docs/guia/verificar', '/docs/cambios', '/problemas', '/problemas/no-existe']
      await assertPages(locale, visitor(server), '/', ['/entrar', '/clave', '/estado', '/no-hay', ...docs])
    })
  }
})
