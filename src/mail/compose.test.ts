import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTransport } from 'nodemailer'
import { brandWith } from '../../tests/support/brand.ts'
import { openContext } from '../../tests/support/browser.ts'
import { sharedBrowser } from '../../tests/support/browser-contexts.ts'
import { inLocale, LOCALES } from '../i18n/locale.ts'
import { apiPathsOf } from '../webhooks/failure-warnings.ts'
import {
  administratorEmail,
  assignedEmail,
  changedEmail,
  collaboratorEmail,
  detachedEmail,
  inquiryEmail,
  invitacionEmail,
  passwordChangedEmail,
  passwordEmail,
  receiptEmail,
  reminderEmail,
  replacedEmail,
  secondFactorEmail,
  staffEmail,
  teamEmail,
  webhookDisabledEmail,
  webhookFailingEmail,
} from './compose.ts'
import { plainText } from './content.ts'
import { EMAIL_KINDS, type Email, ONE_TIME_KINDS } from './email.ts'
import { compose } from './handler.ts'

const OURS = 'https://rodado.test/'
const url = `${OURS}x/q3J8sYw2p0mJmZk3o1T7c9bXh5nVd4RfLgKuEaWiPzM`
const to = 'ana@agencia.test'
const brand = brandWith({ supportUrl: `${OURS}ayuda`, supportMail: 'Soporte <soporte@rodado.test>' })

const failing = (words: string) => ({
  to,
  brand,
  app: words,
  ...apiPathsOf({ topic: 'consulta.recibida', destino: 1 }),
  webhook: words,
  callback: words,
  ultimoError: words,
  url: `${OURS}portal/x/webhooks/consulta.recibida`,
  docsUrl: `${OURS}docs`,
})

/** Every email, with somebody's words wherever it has others' words. */
const emails = (words: string): Email[] => [
  invitacionEmail({
    to,
    brand,
    invitacionId: 1,
    registroUrl: url,
    bajaUrl: `${OURS}baja/x`,
    vence: '14 de marzo de 2025',
    invita: words,
    nombre: words,
    adminNombre: words,
    mensaje: words,
    prueba: true,
  }),
  passwordEmail({ to, brand, nombre: words, url, horas: 1 }),
  passwordChangedEmail({ to, brand, nombre: words, claveUrl: url }),
  collaboratorEmail({ to, brand, agencia: words, porQuien: words, url, horas: 168 }),
  teamEmail({ to, brand, app: words, porQuien: words, url, dias: 7 }),
  staffEmail({ to, brand, porQuien: words, url, dias: 7 }),
  secondFactorEmail({ to, brand, nombre: words, porQuien: words, hecho: 'reiniciado', claveUrl: url }),
  changedEmail({
    to,
    brand,
    agencia: words,
    app: words,
    cuentaUrl: url,
    cambios: [{ campo: 'Nombre', antes: words, despues: words }],
  }),
  detachedEmail({ to, brand, agencia: words, app: words, by: 'app', avisos: 2, cuentaUrl: url }),
  administratorEmail({ to, brand, agencia: words, porQuien: words, url, horas: 168 }),
  replacedEmail({ to, brand, agencia: words, nuevo: words }),
  webhookFailingEmail({ ...failing(words), horas: 6, enEspera: 3 }),
  webhookDisabledEmail({ ...failing(words), por: 'fallas' }),
  inquiryEmail({
    to,
    brand,
    url,
    email: '',
    telefono: null,
    repite: true,
    telefonoLinks: undefined,
    agencia: words,
    auto: words,
    datos: [words],
    nombre: words,
    comentario: words,
    detalles: [words],
  }),
  assignedEmail({ to, brand, agencia: words, porQuien: words, cantidad: 3, url }),
  reminderEmail({ to, brand, agencia: words, auto: words, nombre: words, url }),
  receiptEmail({
    to,
    brand,
    dias: 365,
    ley: undefined,
    agencia: words,
    contacto: [words],
    auto: words,
    dia: '16/11/2026',
  }),
]

test('the emails below are of every kind', () => {
  assert.deepEqual(new Set(emails('Ana').map(({ kind }) => kind)), new Set(EMAIL_KINDS))
})

const TRICKS = [
  'http://evil.com/x',
  'HTTPS:evil.com',
  'www.evil.com',
  'evil.com',
  'evil。com',
  'x@evil.com',
  '//evil.com',
  'javascript:alert(1)',
  'mailto:x@evil.com',
  'http://1.2.3.4/',
  '1.2.3.4',
  'evil\u200b.com',
  'evil.\u200bcom',
  '<a href="http://evil.com">',
  '</td></table>',
  '<script>',
  '"',
  "'",
  '&lt;',
  '&#60;',
  '<!--',
  ']]>',
  '\u202e',
  '\r\nBcc: x@evil.com',
  '\nX-Evil: 1',
  '\r\n\r\n',
  '\u0000',
  '\u2028',
  '\v',
  '=?utf-8?Q?=0D=0A?=',
  '\ud800',
  '-- ',
  '> ',
]
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...TRICKS), fc.string({ unit: 'binary', maxLength: 12 })), { maxLength: 8 })
  .map((parts) => parts.join(''))

const tags = (html: string) =>
  html.match(/<[^>]*>/g)?.filter((tag) => !/^<br ?\/?>$/.test(tag)) ?? assert.fail('there are tags')
const anchors = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)

/** What mail programs make a link of, once our own are put aside. */
const LINKLIKE =
  /\p{L}:\/\/|\p{L}:[^\s\p{N}\u200b]|\S@[^\s\u200b]|[\p{L}\p{N}-][.。．｡](?![A-Z](?![\p{L}\p{N}-]))\p{L}|\d+(\.\d+){3}/u
const withoutOurs = (text: string) =>
  text.replaceAll(
    /https:\/\/rodado\.test\/[\w/-]*|soporte@rodado\.test|\/v3\/appnotificaciones\/consulta\.recibida/g,
    '',
  )
const textOf = (html: string) => html.replace(/<style.*?<\/style>/s, '').replace(/<[^>]*>/g, ' ')

test('others’ words: no anchor, no markup and nothing that becomes a link, in any email', () => {
  const plain = emails('Ana')
  fc.assert(
    fc.property(hostile, (words) => {
      for (const [at, email] of emails(words).entries()) {
        const like = plain[at]
        // A greeting or a quote is there only when there is something to say.
        if (plainText(words) !== '') assert.deepEqual(tags(email.html), tags(like?.html ?? ''), email.kind)
        for (const href of anchors(email.html))
          assert.match(href, /^(https:\/\/rodado\.test\/|mailto:soporte@rodado\.test$)/)
        assert.doesNotMatch(withoutOurs(email.text), LINKLIKE, email.kind)
        assert.doesNotMatch(withoutOurs(textOf(email.html)), LINKLIKE, email.kind)
        assert.doesNotMatch(withoutOurs(email.subject), LINKLIKE, email.kind)
      }
    }),
    { numRuns: 100 },
  )
})

test('others’ words: no header, in any email', async () => {
  const wire = createTransport({ streamTransport: true, buffer: true })
  const headersOf = async ({ subject, text, html, unsubscribeUrl }: Email) => {
    const envelope = { id: 1, from: brand.from, to, replyTo: undefined, at: new Date(0) }
    const contents = { subject, text, html, messageId: 'x', ...(unsubscribeUrl && { unsubscribeUrl }) }
    const { message } = await wire.sendMail(compose(envelope, contents))
    const [head = ''] = String(message).split('\r\n\r\n', 1)
    return [...head.matchAll(/^([^\s:]+):/gm)].map(([, name]) => name)
  }
  const plain = await Promise.all(emails('Ana').map(headersOf))
  await fc.assert(
    fc.asyncProperty(hostile, async (words) => {
      for (const [at, email] of emails(words).entries()) {
        assert.doesNotMatch(email.subject, /[\r\n]/)
        assert.deepEqual(await headersOf(email), plain[at])
      }
    }),
    { numRuns: 25 },
  )
})

test('others’ words: what is no link stays as it was written, lines and all', () => {
  const words =
    'Hola, Ana:\n\nen Sur S.R.L. tenemos un Corsa 1.6 a $1.500.000, a las 10:30. ¿Le interesa? ¡Llame al 011 4444-5555!'
  assert.equal(plainText(words), words)
  const [invitation] = emails(words)
  assert.ok(invitation?.text.includes(words.replace(/^/gm, '> ')))
})

test('others’ words: a real browser shows them as text and finds no link of theirs', async (t) => {
  const context = await openContext(await sharedBrowser(), {})
  t.after(() => context.close())
  const page = await context.newPage()
  const words = `Hola <b>Ana</b>\n${TRICKS.slice(0, 20).join(' ')}`
  for (const email of emails(words)) {
    await page.setContent(email.html)
    const hrefs = await page.$$eval('a', (links) => links.map((link) => link.getAttribute('href') ?? ''))
    assert.ok(hrefs.every((href) => href.startsWith(OURS) || href.startsWith('mailto:soporte@')))
    assert.equal(await page.locator('b, script').count(), 0)
    assert.ok((await page.locator('body').innerText()).includes('<b>Ana</b>'), email.kind)
    assert.equal(await page.locator('html').getAttribute('lang'), 'es')
    assert.equal(await page.locator('h1').count(), 1)
  }
})

test('every email: its links stand in both forms, and one-time ones are named', () => {
  for (const { kind, text, html, oneTimeUrls = [] } of emails('Ana')) {
    for (const href of anchors(html)) assert.ok(text.includes(href.replace('mailto:', '')), `${kind}: ${href}`)
    assert.deepEqual(oneTimeUrls, ONE_TIME_KINDS.includes(kind) ? [url] : [], kind)
    assert.ok(html.length < 100_000, 'Gmail cuts what is longer')
  }
})

test('invitation: says who invites, until when, and how to hear no more', () => {
  const [{ subject, text, html, unsubscribeUrl } = assert.fail()] = emails('Autos del Sur')
  assert.equal(subject, 'Autos del Sur le invita a registrar Autos del Sur en Rodado')
  for (const form of [text, html]) {
    assert.ok(form.includes('14 de marzo de 2025'))
    assert.match(form, /No recibir más invitaciones/)
  }
  assert.equal(unsubscribeUrl, `${OURS}baja/x`)
})

test('sender: nobody at the host of PUBLIC_URL, also where that is an address', () => {
  const senderAt = (publicUrl: string) => brandWith({ publicUrl }).from
  assert.deepEqual(senderAt('https://mercado.test:8443'), { name: 'Rodado', address: 'no-reply@mercado.test' })
  assert.equal(senderAt('http://127.0.0.1:3000').address, 'no-reply@[127.0.0.1]')
  assert.equal(senderAt('http://[::1]:3000').address, 'no-reply@[IPv6:::1]')
})

test('a webhook that was disabled: what its app has to call can be copied as it stands', () => {
  const { text, html } = webhookDisabledEmail({ ...failing('Ana'), por: '410' })
  for (const call of [
    'PUT /v3/appnotificaciones/consulta.recibida',
    'POST /v3/appnotificaciones/consulta.recibida/entregas/reenviar?estado=fallida,descartada',
  ]) {
    assert.ok(text.split('\n').some((line) => line.trim() === call))
    assert.ok(html.includes(`>${call}<`))
  }
})

test('a further webhook of a topic: the email names it, and the calls are about it', () => {
  const paths = apiPathsOf({ topic: 'consulta.recibida', destino: 2 })
  const further = { ...failing('Ana'), ...paths, webhook: 'consulta.recibida «CRM nuevo»' }
  const { subject, text } = webhookDisabledEmail({ ...further, por: '410' })
  assert.match(subject, /recibida «CRM nuevo»/)
  assert.ok(text.includes(further.url))
  for (const call of [
    'PUT /v3/appnotificaciones/consulta.recibida/destinos/2',
    'POST /v3/appnotificaciones/consulta.recibida/entregas/reenviar?estado=fallida,descartada&destino=2',
  ])
    assert.ok(text.split('\n').some((line) => line.trim() === call))
})

test('every email is written in each language', () => {
  const [spanish, ...others] = LOCALES.map((locale) => inLocale(locale, () => emails('Ana')))
  for (const [at, locale] of ['pt', 'en'].entries())
    for (const [nth, { kind, subject, text, html }] of (others[at] ?? []).entries()) {
      const same = spanish?.[nth]
      assert.equal(kind, same?.kind)
      assert.ok(html.includes(`<html lang="${locale}">`) && !/\{\{|\{\w+\}/.test(text), `${locale} ${kind}`)
      assert.notEqual(text, same?.text, `${locale} ${kind}`)
      assert.ok(subject.length > 10)
    }
})
