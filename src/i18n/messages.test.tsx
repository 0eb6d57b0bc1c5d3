import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderToString } from 'preact-render-to-string'
import { formatMoney, formatNumber } from './format.ts'
import { inLocale, type Locale, negotiateLocale, withLanguage } from './locale.ts'
import { labels, rich, t } from './messages.tsx'
import { inSpanish, storedTexts } from './stored.ts'

const inEach = <T,>(run: () => T): T[] => (['es', 'pt', 'en'] as const).map((locale) => inLocale(locale, run))

test('a text is in the language that it is read in, plurals too', () => {
  assert.deepEqual(
    inEach(() => t('comun.list.search')),
    ['Buscar', 'Buscar', 'Search'],
  )
  assert.deepEqual(
    inEach(() => [1, 2].map((seconds) => t('comun.refusal.inSeconds', { seconds })).join(' ')),
    [
      'Podrá hacerlo en un segundo. Podrá hacerlo en 2 segundos.',
      'Será possível em um segundo. Será possível em 2 segundos.',
      'You can do it in one second. You can do it in 2 seconds.',
    ],
  )
})

test('labels that are defined once are in the language of each reader', () => {
  const colours = labels({ a: 'comun.estado.nueva', b: 'comun.estado.vendida' })
  assert.deepEqual(
    inEach(() => Object.values(colours).join(', ')),
    ['Nueva, Vendida', 'Nova, Vendida', 'New, Sold'],
  )
})

test('a text that is stored in Spanish is shown in the language of its reader, and what a person added as it is', () => {
  const shown = storedTexts(['entregas.error.status', 'entregas.error.redirect', 'comun.suspension.reason.sold'])
  const inEnglish = (text: string) => inLocale('en', () => shown(text))
  const stored = inLocale('pt', () => inSpanish('entregas.error.redirect', { status: '302' }))
  assert.equal(stored, 'El receptor respondió 302: las redirecciones no se siguen.')
  assert.equal(shown(stored), stored)
  assert.equal(inEnglish(stored), 'The receiver answered 302: redirects are not followed.')
  assert.equal(inEnglish('El receptor respondió 503.'), 'The receiver answered 503.')
  assert.equal(
    inEnglish('El auto ya se vendió o no existe. Llamar al 555.'),
    'The car is sold or does not exist. Llamar al 555.',
  )
  assert.equal(inEnglish('Otro texto.'), 'Otro texto.')
})

test('a text with elements keeps what is in them escaped', () => {
  const shown = rich('comun.refusal.report', { number: <code>{'<b>'}</code> })
  assert.equal(renderToString(shown), 'Si persiste, informe este número: <code>&lt;b></code>')
})

test('numbers and money are written as in the country', () => {
  const written = (locale: Locale, country: string) =>
    withLanguage({ locale, country }, () => [
      formatNumber(12345.5),
      formatMoney({ Moneda: 'USD', Importe: 12000 }).replace(/\s/g, ' '),
    ])
  assert.deepEqual(written('es', 'AR'), ['12.345,5', 'US$ 12.000'])
  assert.deepEqual(written('es', 'MX'), ['12,345.5', 'USD 12,000'])
  assert.deepEqual(written('pt', 'AR'), ['12.345,5', 'US$ 12.000'])
  assert.deepEqual(written('en', 'AR'), ['12,345.5', 'US$12,000'])
})

test('of the currencies that partners invent, few formats stay in memory', ({ mock }) => {
  const made = mock.method(Intl, 'NumberFormat').mock
  const format = (currency: string) => assert.match(formatMoney({ Moneda: currency, Importe: 7 }), /7/)
  format('XAA')
  format('XAA')
  assert.equal(made.callCount(), 1)
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  for (const a of letters) for (const b of letters) format(`Y${a}${b}`) // 676, of which 100 stay
  made.resetCalls()
  format('XAA')
  assert.equal(made.callCount(), 1)
})

test('a long Accept-Language is not read', () => {
  assert.equal(negotiateLocale('en'), 'en')
  assert.equal(negotiateLocale(`en,${'x'.repeat(500)}`), 'es')
})
