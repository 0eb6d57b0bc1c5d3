import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { defaultBrand } from '../brand/brand.ts'
import { createCookies } from '../http/cookies.ts'
import { fault, invalid, notFound, unavailable } from '../http/problems.ts'
import { respondWithPages } from './refusal.tsx'

test('503: a page that failed has a link to try again; a form, or an unknown page, only the link to the first page', async () => {
  const app = Fastify()
  app.decorate('brand', defaultBrand({ publicUrl: 'http://rodado.test' }))
  app.decorate('country', 'AR')
  app.decorate('cookies', createCookies('http://rodado.test'))
  respondWithPages(app)
  app.all('/cerrado', () => Promise.reject(unavailable()))
  app.get('/nada', () => Promise.reject(notFound()))
  app.post('/mal', () => Promise.reject(invalid({ Operador: [fault('opcion', 'Elija a una persona.')] })))
  const waysOut = async (method: 'GET' | 'POST', url: string) =>
    [...(await app.inject({ method, url })).body.matchAll(/class="button[^"]*" href(?:="([^"]*)")?/g)].map(
      ([, href = '']) => href,
    )
  assert.deepEqual(await waysOut('GET', '/cerrado'), ['', '/'])
  assert.deepEqual(await waysOut('POST', '/cerrado'), ['/'])
  assert.deepEqual(await waysOut('GET', '/nada'), ['/'])
  assert.match((await app.inject({ method: 'POST', url: '/mal' })).body, /<p>Elija a una persona\.<\/p>/)
  await app.close()
})
