import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { depsOf, makeAgencia } from '../../tests/support/agencia.ts'
import { send } from '../../tests/support/caller.ts'
import { insertConsulta } from '../../tests/support/consulta.ts'
import { startServer, type TestServer } from '../../tests/support/server.ts'
import { bareScript } from '../inquiries/page.ts'
import { untilReady } from '../ready.ts'
import { BARE_PAGE, end, freePort } from '../server-process.ts'

const DAY_MS = 86_400_000

describe('the bare page, which ours is compared with', () => {
  let server: TestServer
  let folder: string
  before(async () => {
    server = await startServer()
    folder = await mkdtemp(join(tmpdir(), 'rodado-bare-'))
  })
  after(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  it('200: says what ours says, byte for byte, what is too old to be sent again included', async () => {
    const app = await server.newApp()
    const { agencia } = await makeAgencia(depsOf(server), app.app)
    const told = { agencia, fuente: app.app }
    const now = Date.now()
    for (let turn = 0; turn < 20; turn++)
      await insertConsulta(server.store, { ...told, at: new Date(now - turn * 3 * DAY_MS) })
    const target = `/v3/consultas/${agencia.adminMail}`
    const ours = await app.get(target)
    assert.equal(ours.json._entries.length, 20)
    assert.equal(
      ours.json._entries.some(({ _links }: { _links: object }) => !('reenviar' in _links)),
      true,
    )

    const installation = { folder, connection: server.connection, app: { key: app.app.appKey, secret: app.secret } }
    const captured = { target, status: 200, headers: ['etag', ours.headers.etag ?? ''], body: ours.bytes }
    const port = await freePort()
    const child = spawn(process.execPath, [BARE_PAGE, await bareScript(installation, [captured]), String(port)])
    try {
      await untilReady(port, child)
      const bare = await send(`http://127.0.0.1:${port}`, target, {})
      assert.equal(bare.status, 200)
      assert.equal(bare.text, ours.text)
    } finally {
      await end(child)
    }
  })
})
