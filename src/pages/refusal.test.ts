import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { notFound, unavailable } from '../http/problems.ts'
import { answerAsPages } from './refusal.tsx'

test('503: who looked at a page can look again by a link; who sent a form, or looked for nothing, goes home', async () => {
  const app = Fastify()
  answerAsPages(app, {})
  app.all('/cerrado', () => Promise.reject(unavailable()))
  app.get('/nada', () => Promise.reject(notFound()))
  const waysOut = async (method: 'GET' | 'POST', url: string) =>
    [...(await app.inject({ method, url })).body.matchAll(/class="button[^"]*" href(?:="([^"]*)")?/g)].map(
      ([, href = '']) => href,
    )
  assert.deepEqual(await waysOut('GET', '/cerrado'), ['', '/entrar'])
  assert.deepEqual(await waysOut('POST', '/cerrado'), ['/entrar'])
  assert.deepEqual(await waysOut('GET', '/nada'), ['/entrar'])
  await app.close()
})
