import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadCatalogue } from '../catalogue/load.ts'
import { withLanguage } from '../i18n/locale.ts'
import { hasMessage } from '../i18n/messages.tsx'
import { catalogueLabel } from './labels.tsx'

test('every colour and body style of our catalogue has a label; another name is shown as it is', () => {
  const { colores, carrocerias } = loadCatalogue('AR')
  for (const { nombre } of colores) assert.ok(hasMessage(`aviso.colour.${nombre}`), nombre)
  for (const { nombre } of carrocerias) assert.ok(hasMessage(`aviso.body.${nombre}`), nombre)
  withLanguage({ locale: 'en', country: 'AR' }, () => {
    assert.deepEqual(
      [catalogueLabel('colour', 'Gris oscuro'), catalogueLabel('body', 'Rural'), catalogueLabel('body', 'Chiva')],
      ['Dark grey', 'Estate', 'Chiva'],
    )
    assert.equal(catalogueLabel('colour', null), null)
  })
})
