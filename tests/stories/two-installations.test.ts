import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient } from '@rodado/client'
import { startHaproxy } from '../../drills/balancers.ts'
import { findProgram } from '../../drills/service.ts'
import { startServer } from '../secrets/watched.ts'
import { send } from '../support/caller.ts'
import { freePort } from '../support/free-port.ts'
import type { TestServer } from '../support/server.ts'

const haproxy = findProgram('haproxy')
const HOST = 'cl.mercado.example'

// docs/scaling.md, "Past one primary"
describe('story: two installations behind one HAProxy', { skip: !haproxy && 'HAProxy cannot be found' }, () => {
  const undo: (() => unknown)[] = []
  let ar: TestServer
  let cl: TestServer
  let url: string
  before(async () => {
    ;[ar, cl] = await Promise.all([startServer(), startServer({ env: { COUNTRY: 'CL' } })])
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    await startHaproxy((work) => undo.push(work), haproxy as string, port, configOf(port, ar.url, cl.url))
  })
  after(async () => {
    for (const work of undo.reverse()) await work()
    await ar?.stop()
    await cl?.stop()
  })

  it('200 by host: signed requests reach their country, and an app of one is 401 in the other', async () => {
    const chilean = await cl.newApp()
    const headers = { ...chilean.signed('GET', '/v3/regiones'), host: HOST }
    const there = await send(url, '/v3/regiones', { headers })
    assert.match(there.text, /Antofagasta/)
    assert.equal((await send(url, '/v3/regiones', { headers: chilean.signed('GET', '/v3/regiones') })).status, 401)

    const argentine = await ar.newApp()
    const here = await send(url, '/v3/regiones', { headers: argentine.signed('GET', '/v3/regiones') })
    assert.match(here.text, /Catamarca/)
  })

  it('200 by path prefix: with a token; a signature covers the path without the prefix', async () => {
    const { app, secret, signed } = await cl.newApp()
    const client = createClient({ baseUrl: `${url}/cl`, appKey: app.appKey, appSecret: secret, auth: 'bearer' })
    assert.match(JSON.stringify(await client.listarRegiones()), /Antofagasta/)

    const path = '/v3/regiones'
    assert.equal((await send(url, `/cl${path}`, { headers: signed('GET', path) })).status, 200)
    assert.equal((await send(url, `/cl${path}`, { headers: signed('GET', `/cl${path}`) })).status, 401)
  })
})

const configOf = (port: number, ar: string, cl: string): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
frontend api
  bind 127.0.0.1:${port}
  use_backend cl if { hdr(host) -i ${HOST} }
  use_backend cl if { path_beg /cl/ }
  default_backend ar
backend ar
  server ar1 ${new URL(ar).host}
backend cl
  http-request replace-path ^/cl(/.*) \\1
  server cl1 ${new URL(cl).host}
`
