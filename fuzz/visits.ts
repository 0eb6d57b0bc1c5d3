import fc from 'fast-check'
import { ROLES } from '../tests/isolation/pages.ts'
import { hostileText } from './strings.ts'

/** Something that somebody at a browser does, or says to be doing: a page, a form of a page, or a form of their own making. */
export interface Visit {
  role: (typeof ROLES)[number]
  kind: 'page' | 'form' | 'post'
  /** Which of the pages, forms or routes there are. */
  which: number
  /** What is written over the parts of the address, by their order. */
  parts: { at: number; text: string }[]
  query: string
  /** What is written over the fields, by their order. */
  fields: { at: number; text: string }[]
  /** A field more, in the way that forms are not sent. */
  more: string
  origin: 'same' | 'none' | 'other'
}

const spoilt = (maxLength: number) => fc.array(fc.record({ at: fc.nat(12), text: hostileText }), { maxLength })

const QUERIES = [
  'q=',
  'pagina=99999999999',
  'pagina=-1',
  'desde=2026-99-99',
  'cursor=%00',
  'q=%ff',
  'q=a&q=b',
  'agencia=1',
  'estado=nueva',
  'volver=//otra.test',
  'volver=https://otra.test/',
  'formato=csv',
  'path=/v3/agencias',
]

const MORE = [
  '',
  '&Clave=a&Clave=b',
  '&%=%',
  '&a=%ff%fe',
  '&=',
  `&${'x=1&'.repeat(3000)}`,
  '&__proto__=1&constructor=2',
  '\0',
]

const query = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 2, arbitrary: fc.constantFrom(...QUERIES) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('q', 'pagina', 'estado', 'desde', 'hasta', 'email', 'telefono', 'app', 'topic'),
        hostileText,
      )
      .map(([name, text]) => `${name}=${encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))}`),
  },
)

/** Any visit; those who are signed in come more often than those who are not. */
export const anyVisit: fc.Arbitrary<Visit> = fc.record({
  role: fc.constantFrom(...ROLES),
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant<'page'>('page') },
    { weight: 6, arbitrary: fc.constant<'form'>('form') },
    { weight: 1, arbitrary: fc.constant<'post'>('post') },
  ),
  which: fc.nat(10_000),
  parts: fc.oneof({ weight: 5, arbitrary: spoilt(0) }, { weight: 2, arbitrary: spoilt(2) }),
  query,
  fields: fc.oneof({ weight: 1, arbitrary: spoilt(0) }, { weight: 4, arbitrary: spoilt(4) }),
  more: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...MORE) }),
  origin: fc.oneof(
    { weight: 20, arbitrary: fc.constant<'same'>('same') },
    { weight: 1, arbitrary: fc.constantFrom<Visit['origin']>('none', 'other') },
  ),
})
