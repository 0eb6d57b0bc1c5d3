import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { changedPaths, emptyLists, readBack } from './read-back.ts'
import type { Market } from './workload.ts'

const MARKET: Market = {
  AppKey: 'app',
  AppSecret: 'secret',
  SitioKey: 'sitio',
  Agencias: ['una@agencia.test', 'otra@agencia.test'],
  Cuenta: { email: 'una@agencia.test', password: 'x' },
}
const LISTS = ['agencias', 'publicaciones', 'consultas'] as const

describe('upgrade: reading past data', () => {
  let node: Server
  let url: string
  /** The number of entries of each list, the state of an inquiry, and a path that is refused. */
  let past: { agencias: number; publicaciones: number; consultas: number; estado: string; refuses: string }
  beforeEach(() => {
    past = { agencias: 2, publicaciones: 3, consultas: 4, estado: 'nueva', refuses: '' }
  })
  before(async () => {
    node = createServer((request, response) => {
      const path = request.url?.split('?')[0] ?? ''
      const [, , list = '', mail, sid] = path.split('/')
      const count = list in past ? Number(past[list as keyof typeof past]) : 0
      const self = (at: number) => ({ _links: { self: { href: `/v3/${list}/${mail}/${at}` } } })
      const isOne = sid !== undefined || (list === 'agencias' && mail !== undefined)
      response.statusCode = past.refuses && path.startsWith(past.refuses) ? 503 : 200
      response.end(
        JSON.stringify(
          isOne ? { path, Estado: past.estado } : { _entries: Array.from({ length: count }, (_, at) => self(at)) },
        ),
      )
    }).listen(0, '127.0.0.1')
    await once(node, 'listening')
    url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  })
  after(() => {
    node.closeAllConnections()
    node.close()
  })

  it('reads lists, agencies and some inquiries, and finds no change when read again', async () => {
    const found = await readBack(url, MARKET)
    assert.deepEqual([found.agencias, found.publicaciones, found.consultas, found.each], [2, 3, 8, 6])
    assert.deepEqual(emptyLists(found, MARKET.Agencias.length), [])
    assert.deepEqual(changedPaths(found.responses, (await readBack(url, MARKET)).responses), [])
  })

  for (const list of LISTS)
    it(`reports a list of ${list} that is empty from the start`, async () => {
      past[list] = 0
      assert.ok(emptyLists(await readBack(url, MARKET), MARKET.Agencias.length).includes(list))
    })

  for (const list of LISTS)
    it(`reports a list of ${list} that is emptied afterwards`, async () => {
      const { responses } = await readBack(url, MARKET)
      past[list] = 0
      const changed = changedPaths(responses, (await readBack(url, MARKET)).responses)
      assert.ok(
        changed.some((path) => path.startsWith(`/v3/${list}`)),
        changed.join(),
      )
    })

  it('reports an inquiry that has changed', async () => {
    const { responses } = await readBack(url, MARKET)
    past.estado = 'leida'
    assert.ok(
      changedPaths(responses, (await readBack(url, MARKET)).responses).includes('/v3/consultas/una@agencia.test/0'),
    )
  })

  for (const path of ['/v3/agencias', '/v3/publicaciones/otra', '/v3/consultas/una@agencia.test/1'])
    it(`throws if the node refuses ${path}`, async () => {
      past.refuses = path
      await assert.rejects(readBack(url, MARKET), /was refused: 503/)
    })
})
