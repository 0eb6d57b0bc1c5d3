import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { brandOf, mailboxOf, NOTHING_STORED } from './brand.ts'
import { checkTexts } from './check.ts'
import { accentOf, contrast, contrastFault, MIN_CONTRAST, parseColour } from './colour.ts'
import { stylesheetFor, stylesheetPath } from './stylesheet.ts'

const none = { current: { color: null } }
const faultsOf = (given: Parameters<typeof checkTexts>[0], more: Partial<Parameters<typeof checkTexts>[1]> = {}) => {
  const checked = checkTexts(given, { ...none, ...more })
  return 'faults' in checked ? checked.faults : []
}

describe('colours', () => {
  it('the contrast is that of WCAG', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21)
    assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
    assert.deepEqual(['#0B6B5D', 'abc', '#12345', 'red', '#0b6b5d;x'].map(parseColour), [
      '#0b6b5d',
      '#aabbcc',
      undefined,
      undefined,
      undefined,
    ])
  })

  it('one that cannot be read is refused with its ratio and the nearest that can, which is accepted', () => {
    for (const theme of ['claro', 'oscuro'] as const)
      for (let hue = 0; hue < 4096; hue += 53) {
        const colour = `#${[hue >> 8, (hue >> 4) & 15, hue & 15].map((digit) => digit.toString(16).repeat(2)).join('')}`
        const fault = contrastFault(colour, theme)
        if (!fault) continue
        assert.ok(fault.ratio < MIN_CONTRAST)
        assert.equal(contrastFault(fault.nearest, theme), undefined, `${colour} → ${fault.nearest}`)
      }
    const [fault] = faultsOf({ color: '#ffd600' })
    assert.ok(fault?.code === 'contraste' && fault.use === 'texto')
    assert.deepEqual([fault.against, fault.ratio.toFixed(2)], ['#f1f4f3', '1.28'])
    assert.equal(contrastFault('#0b6b5d', 'claro'), undefined)
  })

  it('what is accepted can be read on every background of the pages', () => {
    const tokens = readFileSync(new URL('../pages/assets/css/tokens.css', import.meta.url), 'utf8')
    for (const name of ['paper', 'surface', 'sunken', 'hover']) {
      const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? []
      for (const colour of ['#ff6600', '#ffd600', '#1144ff', '#00ff00']) {
        const readable = contrastFault(colour, 'claro')?.nearest ?? colour
        assert.ok(contrast(readable, light) >= MIN_CONTRAST, `${name} ${light} ${readable}`)
        assert.ok(contrast(accentOf(readable).oscuro.accent, dark) >= MIN_CONTRAST, `${name} ${dark} ${readable}`)
      }
    }
  })

  it('a colour for dark backgrounds follows from the other, and every node writes the same stylesheet', () => {
    const { oscuro } = accentOf('#0b6b5d')
    assert.equal(contrastFault(oscuro.accent, 'oscuro'), undefined)
    const brand = brandOf({ ...NOTHING_STORED, color: '#0b6b5d' }, { publicUrl: 'https://x.test' })
    const [, file = '', version] = /colores\/([^?]+)\?v=(.+)$/.exec(stylesheetPath(brand) ?? '') ?? []
    const found = stylesheetFor(file)
    assert.equal(found?.version, version)
    assert.match(
      found?.css ?? '',
      /^:root\{--accent:light-dark\(#0b6b5d,#[0-9a-f]{6}\);--on-accent:light-dark\(#ffffff,/,
    )
    for (const other of ['x.css', '0b6b5d-62cbb8.css}', '../../x', '0b6b5d.css'])
      assert.equal(stylesheetFor(other), undefined)
  })
})

describe('texts of a brand', () => {
  it('are normalised, and empty ones restore the default', () => {
    const given = {
      nombre: '  Autos \u202e del\nSur ',
      color: '',
      colorOscuro: '',
      remitenteNombre: '',
      soporteUrl: '',
      remitenteMail: 'hola@autos.test',
      soporteMail: '',
      enlaces: [{ texto: ' Términos ', url: 'https://autos.test/términos' }],
    }
    const checked = checkTexts(given, none)
    assert.deepEqual('change' in checked && checked.change, {
      nombre: 'Autos del Sur',
      color: null,
      colorOscuro: null,
      remitenteNombre: null,
      soporteUrl: null,
      remitenteMail: 'hola@autos.test',
      soporteMail: null,
      enlaces: [{ texto: 'Términos', url: 'https://autos.test/t%C3%A9rminos' }],
    })
  })

  it('what is wrong is named', () => {
    const link = { texto: 'Términos', url: 'https://a.test' }
    const codes = (given: Parameters<typeof checkTexts>[0]) => faultsOf(given).map(({ code }) => code)
    assert.deepEqual(codes({ nombre: 'x'.repeat(61) }), ['largo'])
    assert.deepEqual(codes({ nombre: '•' }), ['nombre'])
    assert.deepEqual(codes({ color: 'verde' }), ['color'])
    assert.deepEqual(codes({ colorOscuro: '#62cbb8' }), ['sin-color'])
    for (const address of ['a b@x.test', 'a@x.test\r\nBcc: b@x.test', 'a@x', '<a@x.test>', 'a@x.test, b@x.test'])
      assert.deepEqual(codes({ remitenteMail: address }), ['correo'], address)
    for (const url of ['http://a.test', 'javascript:alert(1)', 'https://ana@a.test', '//a.test', 'https:'])
      assert.deepEqual(codes({ soporteUrl: url, enlaces: [{ ...link, url }] }), ['https', 'enlace'], url)
    assert.deepEqual(codes({ enlaces: Array(6).fill(link) }), ['enlaces'])
    assert.deepEqual(codes({ enlaces: [{ ...link, texto: '' }] }), ['enlace'])
  })

  it('a sender of another domain than that of the signature is refused', () => {
    const dkim = { domain: 'autos.test' }
    assert.deepEqual(faultsOf({ remitenteMail: 'hola@otro.test' }, { dkim }), [
      { field: 'remitenteMail', code: 'dkim', domain: 'autos.test' },
    ])
    for (const address of ['hola@autos.test', 'hola@correo.autos.test'])
      assert.deepEqual(faultsOf({ remitenteMail: address }, { dkim }), [])
  })

  it('what is not stored comes from the settings', () => {
    const settings = {
      publicUrl: 'https://autos.test',
      mailFrom: '"Autos" <hola@autos.test>',
      supportMail: 's@autos.test',
    }
    const brand = brandOf(NOTHING_STORED, settings)
    assert.deepEqual([brand.nombre, brand.from], ['Rodado', { name: 'Autos', address: 'hola@autos.test' }])
    assert.equal(brand.support.mail, 's@autos.test')
    const named = brandOf(
      { ...NOTHING_STORED, nombre: 'Ruedas', soporteMail: 'r@x.test' },
      { ...settings, mailFrom: 'a@x.test' },
    )
    assert.deepEqual(named.from, { name: 'Ruedas', address: 'a@x.test' })
    assert.equal(named.support.mail, 'r@x.test')
    assert.deepEqual(mailboxOf('a@x.test'), { name: '', address: 'a@x.test' })
  })
})
