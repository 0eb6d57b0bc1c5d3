import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COUNTRIES } from './config.ts'
import { inGroups, phoneKey, phoneLinks, storedPhoneKeys, toE164 } from './phone.ts'

test('a telephone is understood as one of the market’s country, and with a plus as any country’s', () => {
  for (const [written, understood] of [
    ['341 555-0199', '+543415550199'],
    ['(0341) 15 555-0199', '+5493415550199'],
    ['+54 9 341 555-0134', '+5493415550134'],
    ['0054 341 555 0199', '+543415550199'],
    ['+55 11 91234-5678', '+5511912345678'],
    ['011 4555-1234 int. 12', '+541145551234'],
    ['555-0199', null],
    ['123456', null],
    ['llamar de tarde', null],
    ['9'.repeat(30), null],
    ['', null],
  ] as const)
    assert.equal(toE164(written, 'AR'), understood, written)
  assert.equal(toE164(null, 'AR'), null)
  assert.equal(toE164('99 123 456', 'UY'), '+59899123456')
  for (const mobile of ['+52 1 55 1234 5678', '521 55 1234 5678', '55 1234 5678'])
    assert.equal(toE164(mobile, 'MX'), '+525512345678', mobile)
  for (const country of COUNTRIES) assert.equal(toE164('+54 341 555-0199', country), '+543415550199', country)
})

test('a number with its country is written in groups, and another text as it is', () => {
  assert.equal(inGroups('+5493415550199'), '+54 9 341 555 0199')
  assert.equal(inGroups('llamar de tarde'), 'llamar de tarde')
})

test('WhatsApp gets the 9 of an Argentine mobile; a number that is not understood can only be called', () => {
  assert.equal(phoneLinks('341 555-0199', 'AR').whatsapp, 'https://wa.me/5493415550199')
  assert.equal(phoneLinks('+54 9 341 555-0134', 'MX').whatsapp, 'https://wa.me/5493415550134')
  assert.equal(phoneLinks('099 123 456', 'UY').whatsapp, 'https://wa.me/59899123456')
  assert.deepEqual(phoneLinks('555-0199', 'AR'), { tel: 'tel:5550199' })
})

test('the ways to write a telephone have one key, and each finds what earlier versions stored: the digits of another', () => {
  const ways = {
    AR: [
      '341 555-0199',
      '0341 555-0199',
      '(0341) 15 555-0199',
      '341 15 5550199',
      '+54 9 341 555-0199',
      '0054 341 5550199',
    ],
    BR: ['(11) 91234-5678', '011 91234-5678', '+55 11 91234-5678'],
    MX: ['55 1234 5678', '+52 55 1234 5678', '+52 1 55 1234 5678'],
    UY: ['099 123 456', '99 123 456', '+598 99 123 456'],
  }
  for (const [country, written] of Object.entries(ways) as [keyof typeof ways, string[]][]) {
    assert.equal(new Set(written.map((way) => phoneKey(way, country))).size, 1, country)
    for (const way of written)
      for (const other of written)
        assert.ok(storedPhoneKeys(way, country).includes(other.replace(/\D/g, '')), `${way} finds ${other}`)
  }
})

test('a telephone of another country does not find the market’s with the same digits; what is not understood finds itself', () => {
  assert.ok(!storedPhoneKeys('+55 11 4555-1234', 'AR').includes('1145551234'))
  assert.notEqual(phoneKey('+55 11 4555-1234', 'AR'), phoneKey('11 4555-1234', 'AR'))
  assert.deepEqual(storedPhoneKeys('555-0199', 'AR'), ['5550199'])
  assert.deepEqual([phoneKey('()', 'AR'), storedPhoneKeys('', 'AR')], [null, []])
})
