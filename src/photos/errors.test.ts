import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPartnersError, PHOTO_ERRORS } from './errors.ts'

test('of the errors of a photo two are our own, and so is any text that is no code', () => {
  const ours = [...PHOTO_ERRORS, 'respuesta-404', 'connect ECONNREFUSED 127.0.0.1:5432'].filter(
    (each) => !isPartnersError(each),
  )
  assert.deepEqual(ours, ['lenta', 'guardar', 'connect ECONNREFUSED 127.0.0.1:5432'])
})
