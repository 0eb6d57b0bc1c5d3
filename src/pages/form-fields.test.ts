import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readFields } from './form-fields.tsx'

const FIELDS = {
  Nombre: { label: 'Nombre', missing: 'Falta el nombre.', max: 5 },
  Contacto: { label: 'Contacto', optional: true, check: (text: string) => !text.includes('@') && 'No es un correo.' },
  Modo: { label: 'Modo', choices: [['prueba', 'Prueba']] as const },
}
const read = (form: Record<string, string>) => readFields(FIELDS, new URLSearchParams(form))

describe('the fields of a form', () => {
  it('are read as lines; one without a message may be empty', () => {
    assert.deepEqual(read({ Nombre: '  Ana ', Modo: 'prueba' }), {
      given: { Nombre: 'Ana', Contacto: '', Modo: 'prueba' },
      errors: undefined,
    })
    assert.equal(read({ Nombre: 'Ana' }).errors, undefined)
  })

  it('keep their lines where they have several', () => {
    const form = new URLSearchParams({ Texto: ' Hay demoras.\r\n\r\nSeguimos a las 15. ' })
    const { given } = readFields({ Texto: { label: 'Texto', rows: 4 } }, form)
    assert.equal(given.Texto, 'Hay demoras.\n\nSeguimos a las 15.')
  })

  it('refuse what is missing, too long, wrong or no choice', () => {
    assert.deepEqual(read({ Contacto: 'x', Modo: 'otro' }).errors, {
      Nombre: ['Falta el nombre.'],
      Contacto: ['No es un correo.'],
      Modo: ['Elija una de las opciones.'],
    })
    assert.deepEqual(read({ Nombre: 'Ana María' }).errors, { Nombre: ['Puede tener hasta 5 caracteres.'] })
  })

  it('are refused together where they contradict each other, in the order of the page', () => {
    const { errors } = readFields(FIELDS, new URLSearchParams(), () => ({ Modo: ['Falta el modo.'] }))
    assert.deepEqual(Object.keys(errors ?? {}), ['Nombre', 'Modo'])
  })
})
