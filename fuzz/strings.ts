import fc from 'fast-check'

/** Texts known to break parsers, databases, pages or logs. */
const NOTORIOUS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u0001\u0008\u001b[31m',
  '\r\nSet-Cookie: a=b',
  '\ud800', // half a surrogate pair, which UTF-8 cannot encode
  'x\udc00y',
  '\ufeff',
  '\ufffe\uffff',
  '\u202etxet\u202c',
  '\u200b\u200d\u2060',
  'Ω≈ç√∫˜µ≤≥÷',
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'é'.normalize('NFD').repeat(40),
  'İıſK', // characters whose lower case is longer or that of another
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0x10',
  '1e3',
  ' 12 ',
  '٣',
  '2147483648',
  '99999999999999999999',
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  '%00',
  '%c0%ae%c0%ae/',
  "' or 1=1; drop table apps; --",
  "\\'; select pg_sleep(9); --",
  '$1',
  '{{7*7}}',
  '$' + '{7*7}',
  '%s%n%x',
  '"><xss-7>',
  "javascript:alert('7')",
  '<![CDATA[<!ENTITY a SYSTEM "file:///etc/passwd">]]>',
  '=HYPERLINK("http://x")',
  'a@b',
  '"a b"@c.test',
  'ana@agencia.test\r\nBcc: b@c.test',
  `${'a'.repeat(64)}@${'b'.repeat(63)}.test`,
  '2024-02-30',
  '9999-12-31',
  '0000-01-01',
  '-271821-04-20',
  '275760-09-13T00:00:00Z',
  '2024-01-01T25:61:61+99:99',
  'https://[::ffff:127.0.0.1]/',
  'https://user:pass@169.254.169.254/',
  'https://xn--/',
  'http://0x7f.1/',
  'file:///etc/passwd',
]

const LENGTHS = [1, 19, 20, 30, 31, 50, 51, 80, 81, 120, 121, 200, 201, 255, 256, 500, 501, 1024, 1025, 2001, 9_000]

/** Any code point. For its own unit `binary`, fast-check makes a table of all of them, which takes seconds. */
const codePoint = fc.nat(0x10ffff - 0x800).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

/** Hostile text. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...NOTORIOUS) },
  { weight: 3, arbitrary: fc.string({ unit: codePoint, maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 8 }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'ñ', '😀', '\t', '<', '%', '\u0301', '"'), fc.constantFrom(...LENGTHS))
      .map(([unit, length]) => unit.repeat(length)),
  },
)

/** Unexpected JSON values. bodies.ts adds numbers beyond a double. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom(null, true, false, 0, -0, -1, 0.1, 1e21, 5e-324, 2 ** 31, 2 ** 53 + 2, -(2 ** 63), 1.7e308),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom([], {}, [[]], [null], { a: {} }, { __proto__: null, length: 1 }, Array(600).fill(0)),
  fc.jsonValue({ depthSize: 'small' }),
)
