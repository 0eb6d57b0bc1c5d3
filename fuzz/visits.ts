import fc from 'fast-check'
import { ROLES } from '../tests/isolation/pages.ts'
import { hostileText } from './strings.ts'

/** Something that somebody at a browser does, or says to be doing: a page, a form of a page, one that ends something, or a form of their own making. */
export interface PageContext {
  role: (typeof ROLES)[number]
  kind: 'page' | 'form' | 'end' | 'post'
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
  /** Goes only where that role is let in, and sends forms as they are found: what follows from that is looked at too. */
  meant: boolean
}

const spoilt = (maxLength: number) => fc.array(fc.record({ at: fc.nat(12), text: hostileText }), { maxLength })

/** Names of what is a stranger's, which pages.ts puts in their place. */
const STRANGE = ['«agencia»', '«app»', '«sid»', '«aviso»', '«event»']
const ofStrangers = fc.array(fc.record({ at: fc.nat(3), text: fc.constantFrom(...STRANGE) }), {
  minLength: 1,
  maxLength: 2,
})

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

/** What ends something leaves less for the others to find, so it comes seldom. */
const kindOf = (weights: Partial<Record<PageContext['kind'], number>>) =>
  fc.oneof(
    ...Object.entries(weights).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as PageContext['kind']),
    })),
  )

const bent: fc.Arbitrary<PageContext> = fc.record({
  meant: fc.constant(false),
  role: fc.constantFrom(...ROLES),
  kind: kindOf({ page: 30, form: 60, end: 2, post: 10 }),
  which: fc.nat(10_000),
  parts: fc.oneof(
    { weight: 5, arbitrary: spoilt(0) },
    { weight: 2, arbitrary: spoilt(2) },
    { weight: 2, arbitrary: ofStrangers },
  ),
  query,
  fields: fc.oneof({ weight: 1, arbitrary: spoilt(0) }, { weight: 4, arbitrary: spoilt(4) }),
  more: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...MORE) }),
  origin: fc.oneof(
    { weight: 20, arbitrary: fc.constant<'same'>('same') },
    { weight: 1, arbitrary: fc.constantFrom<PageContext['origin']>('none', 'other') },
  ),
})

const meant: fc.Arbitrary<PageContext> = fc.record({
  meant: fc.constant(true),
  role: fc.constantFrom(...ROLES),
  kind: kindOf({ page: 50, form: 50, end: 2 }),
  which: fc.nat(10_000),
  parts: spoilt(0),
  query: fc.constant(''),
  fields: spoilt(0),
  more: fc.constant(''),
  origin: fc.constant<'same'>('same'),
})

/** Any visit: two in five as they are meant, the others bent in any of their parts. */
export const anyVisit: fc.Arbitrary<PageContext> = fc.oneof(
  { weight: 3, arbitrary: bent },
  { weight: 2, arbitrary: meant },
)
