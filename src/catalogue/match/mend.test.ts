import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mend } from './mend.ts'

test('UTF-8 read as Latin-1 or Windows-1252 is mended, also twice over', () => {
  assert.equal(mend('CÃ³rdoba'), 'Córdoba')
  assert.equal(mend('Ã‘uÃ±oa'), 'Ñuñoa')
  assert.equal(mend('MarÃ\u0083Â\u00ada'), 'María')
})

test('percent, HTML and JSON escapes are undone', () => {
  assert.equal(mend('Ca%C3%B1uelas'), 'Cañuelas')
  assert.equal(mend('Luj&aacute;n &amp; c&#243;'), 'Lujan & có')
  assert.equal(mend('Jun\\u00edn'), 'Junín')
})

test('what is whole stays as it is', () => {
  for (const text of ['Córdoba', 'São Paulo', '100 %', 'Â', 'Ünal', '%zz', '&foo;', 'Coupé'])
    assert.equal(mend(text), text)
})
