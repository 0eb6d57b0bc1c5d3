import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { startServer, type TestServer } from './support/server.ts'

const run = promisify(execFile)

describe('README.md', () => {
  let server: TestServer
  let folder: string
  before(async () => {
    server = await startServer()
    folder = await mkdtemp(join(tmpdir(), 'rodado-readme-'))
  })
  after(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('200: the first signed call works as it is printed', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const script = /cat > call\.mjs <<'EOF'\n([\s\S]*?)\nEOF/.exec(readme)?.[1]
    const shown = /^200 (rule=\w+, score=[\d.]+) \{ Nombre: '(.+?)'/m.exec(readme)
    assert.ok(script && shown, 'the README has the script and what it prints')

    const { app, secret } = await server.newApp()
    await writeFile(join(folder, 'app.json'), JSON.stringify({ AppKey: app.appKey, AppSecret: secret }))
    await writeFile(join(folder, 'call.mjs'), script)
    const { stdout } = await run(process.execPath, ['call.mjs'], {
      cwd: folder,
      env: { ...process.env, RODADO_URL: server.url },
    })
    assert.ok(stdout.startsWith(`200 ${shown[1]}`), stdout)
    assert.match(stdout, new RegExp(`Nombre: '${shown[2]}'`))
  })
})
