import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixEncoding } from './fix-encoding.ts'

test('UTF-8 read as Latin-1 or Windows-1252 is fixed, also twice over', () => {
  assert.equal(fixEncoding('CÃ³rdoba'), 'Córdoba')
  assert.equal(fixEncoding('Ã‘uÃ±oa'), 'Ñuñoa')
  assert.equal(fixEncoding('MarÃ\u0083Â\u00ada'), 'María')
})

test('percent, HTML and JSON escapes are undone', () => {
  assert.equal(fixEncoding('Ca%C3%B1uelas'), 'Cañuelas')
  assert.equal(fixEncoding('Luj&aacute;n &amp; c&#243;'), 'Lujan & có')
  assert.equal(fixEncoding('Jun\\u00edn'), 'Junín')
})

test('what is whole stays as it is', () => {
  for (const text of ['Córdoba', 'São Paulo', '100 %', 'Â', 'Ünal', '%zz', '&foo;', 'Coupé'])
    assert.equal(fixEncoding(text), text)
})
