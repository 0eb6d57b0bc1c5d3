import fc from 'fast-check'
import { ROLES } from '../tests/isolation/pages.ts'
import { hostileText } from './strings.ts'

/** What a browser sends: a page, a form of a page, a destructive form, or a form of its own. */
export interface PageAction {
  role: (typeof ROLES)[number]
  kind: 'page' | 'form' | 'end' | 'post'
  /** Selects one of the pages, forms or routes. */
  which: number
  /** Overwrites segments of the path by position. */
  parts: { at: number; text: string }[]
  query: string
  /** Overwrites fields by position. */
  fields: { at: number; text: string }[]
  /** An extra field that no form would send. */
  more: string
  origin: 'same' | 'none' | 'other'
  /** Only pages that the role may open, and forms as they are found, so that their effects are tested too. */
  isValid: boolean
}

const overwrites = (maxLength: number) => fc.array(fc.record({ at: fc.nat(12), text: hostileText }), { maxLength })

/** Placeholders for records of another tenant, which pages.ts fills in. */
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

/** Destructive forms leave less for later requests, so they come seldom. */
const kindOf = (weights: Partial<Record<PageAction['kind'], number>>) =>
  fc.oneof(
    ...Object.entries(weights).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as PageAction['kind']),
    })),
  )

const mutated: fc.Arbitrary<PageAction> = fc.record({
  isValid: fc.constant(false),
  role: fc.constantFrom(...ROLES),
  kind: kindOf({ page: 30, form: 60, end: 2, post: 10 }),
  which: fc.nat(10_000),
  parts: fc.oneof(
    { weight: 5, arbitrary: overwrites(0) },
    { weight: 2, arbitrary: overwrites(2) },
    { weight: 2, arbitrary: ofStrangers },
  ),
  query,
  fields: fc.oneof({ weight: 1, arbitrary: overwrites(0) }, { weight: 4, arbitrary: overwrites(4) }),
  more: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(...MORE) }),
  origin: fc.oneof(
    { weight: 20, arbitrary: fc.constant<'same'>('same') },
    { weight: 1, arbitrary: fc.constantFrom<PageAction['origin']>('none', 'other') },
  ),
})

const validAction: fc.Arbitrary<PageAction> = fc.record({
  isValid: fc.constant(true),
  role: fc.constantFrom(...ROLES),
  kind: kindOf({ page: 50, form: 50, end: 2 }),
  which: fc.nat(10_000),
  parts: overwrites(0),
  query: fc.constant(''),
  fields: overwrites(0),
  more: fc.constant(''),
  origin: fc.constant<'same'>('same'),
})

/** Any page action: two in five are valid, the others mutated. */
export const anyPageAction: fc.Arbitrary<PageAction> = fc.oneof(
  { weight: 3, arbitrary: mutated },
  { weight: 2, arbitrary: validAction },
)
