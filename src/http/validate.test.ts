import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ErrorObject } from 'ajv'
import Type, { type TSchema } from 'typebox'
import { type Errors, textsOf } from './problems.ts'
import { bodyFaults, faults } from './validate.ts'

const Item = Type.Object(
  { Nombre: Type.Optional(Type.Union([Type.String({ maxLength: 5, format: 'tel' }), Type.Null()])) },
  { additionalProperties: false },
)
const MORE = 'Hay más errores: solo se muestran los primeros 100.'

const errorsOf = (schema: TSchema, body: unknown): Errors => ({ ...textsOf(bodyFaults(schema, body)) })
const countFaults = (schema: TSchema, body: unknown): number => Object.values(bodyFaults(schema, body)).flat().length

/** Counts how often something is read of an object or list. */
function counted<T extends object>(target: T): { proxy: T; reads: () => number } {
  let reads = 0
  const proxy = new Proxy(target, {
    get(object, name, receiver) {
      reads++
      return Reflect.get(object, name, receiver)
    },
    getOwnPropertyDescriptor(object, name) {
      reads++
      return Reflect.getOwnPropertyDescriptor(object, name)
    },
  })
  return { proxy, reads: () => reads }
}

describe('validation of hostile bodies', () => {
  it('names at most 100 faults, then one that says there are more', () => {
    const list = Type.Array(Item, { maxItems: 1_000 })
    const errors = errorsOf(list, Array(1_000).fill(7))
    assert.equal(Object.keys(errors).length, 101)
    assert.deepEqual(errors['[99]'], ['Debe ser un objeto.'])
    assert.deepEqual(errors._, [MORE])
    assert.equal(countFaults(list, Array(100).fill(7)), 100, 'exactly 100 are all of them')
    assert.equal(bodyFaults(list, Array(100).fill(7))._, undefined)
  })

  it('names at most 100 unknown members', () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x${at}`, 1]))
    const errors = errorsOf(Item, unknown)
    assert.equal(Object.keys(errors).length, 101)
    assert.deepEqual(errors._, [MORE])
  })

  it('cuts the name of an unknown member at 100 characters', () => {
    assert.deepEqual(Object.keys(bodyFaults(Item, { ['x'.repeat(100_000)]: 1 })), ['x'.repeat(100)])
  })

  it('does not look at the items of a list that is too long, nor at the form of a text that is', () => {
    const list = Type.Object({ Lista: Type.Array(Item, { maxItems: 3 }) })
    const { proxy, reads } = counted(Array(10_000).fill(7))
    assert.deepEqual(errorsOf(list, { Lista: proxy }), { Lista: ['Puede tener hasta 3 elementos.'] })
    assert.ok(reads() < 10, `read ${reads()} times`)
    assert.deepEqual(errorsOf(Item, { Nombre: 'x'.repeat(11) }), { Nombre: ['Puede tener hasta 5 caracteres.'] })
    assert.deepEqual(errorsOf(Item, { Nombre: 'x' }), { Nombre: ['Debe ser un número de teléfono.'] })
  })

  it('says of a wrong nullable member what it should be, not that it is not null', () => {
    const body = Type.Object({ A: Type.Union([Item, Type.Null()]), AB: Type.Union([Item, Type.Null()]) })
    assert.deepEqual(errorsOf(body, { A: 1, AB: { Nombre: 1 } }), {
      A: ['Debe ser un objeto.'],
      'AB.Nombre': ['Debe ser un texto.'],
    })
  })
})

describe('growth of validation', () => {
  /** Errors as Ajv gives them for a list of nullable members that are all wrong. */
  const errorsOf = (items: number): ErrorObject[] =>
    Array.from({ length: items }, (_, at) => [
      { keyword: 'type', instancePath: `/Lista/${at}/Nombre`, params: { type: 'string' } },
      { keyword: 'type', instancePath: `/Lista/${at}/Nombre`, params: { type: 'null' } },
      { keyword: 'anyOf', instancePath: `/Lista/${at}/Nombre`, params: {} },
    ]).flat() as unknown as ErrorObject[]

  function readsToDescribe(items: number): number {
    let total = 0
    const errors = errorsOf(items).map((error) => counted(error))
    faults(errors.map(({ proxy }) => proxy))
    for (const { reads } of errors) total += reads()
    return total
  }

  function readsToValidate(members: number): number {
    const { proxy, reads } = counted(Object.fromEntries(Array.from({ length: members }, (_, at) => [`x${at}`, 1])))
    bodyFaults(Item, proxy)
    return reads()
  }

  for (const [what, readsFor] of Object.entries({ readsToDescribe, readsToValidate }))
    it(`four times as many wrong values cost at most six times as much work: ${what}`, () => {
      for (const size of [50, 500, 5_000]) {
        const [once, fourTimes] = [readsFor(size), readsFor(4 * size)]
        assert.ok(fourTimes <= 6 * once, `${once} reads for ${size}, ${fourTimes} for ${4 * size}`)
      }
    })
})
