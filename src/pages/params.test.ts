import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withQuery } from '../http/links.ts'
import { textParam } from './params.ts'

describe('the query of a page', () => {
  it('200: an emoji where a long text is cut is left out, not halved', () => {
    const q = textParam({ q: `${'a'.repeat(99)}🚗` }, 'q')
    assert.equal(q, 'a'.repeat(99))
    assert.equal(withQuery('/consola/apps', { q }), `/consola/apps?q=${q}`)
    assert.equal(textParam({ q: `${'a'.repeat(98)}🚗b` }, 'q'), `${'a'.repeat(98)}🚗`)
  })

  it('200: letters are composed as those that are stored, so that a pasted name is found', () => {
    assert.equal(textParam({ q: ' Gestio\u0301n\0 Norte ' }, 'q'), 'Gestión Norte')
  })
})
