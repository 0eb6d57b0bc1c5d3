import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from './support/free-port.ts'
import { npx } from './support/npx.ts'

/** Starts the server and runs the commands after `npm ci && npm start`, in order. */
const scriptOf = (blocks: string[], url: string) => `set -euo pipefail
trap 'kill $(jobs -p) || true; wait || true' EXIT
npx rodado serve > rodado.log 2>&1 &
until curl -sf ${url}/health/ready > /dev/null; do sleep 0.2; done
${blocks.join('\n').replaceAll('http://127.0.0.1:3000', url)}
`

describe('README.md', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'rodado-readme-'))
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'bin', 'npx'), npx(), { mode: 0o755 })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('0: its commands work in the order they are printed, on an empty DATA_DIR', async () => {
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    const [start, ...blocks] = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? '')
    assert.match(start ?? '', /^npm ci && npm start/)
    const shown = /^200 OK\n(match: .+)\n…\n\{\n(.+)\n(.+)$/m.exec(readme)
    assert.ok(shown, 'the README shows what the first call prints')

    const links = [...readme.matchAll(/<(http:\/\/127\.0\.0\.1:3000\/[^>]+)>/g)].map(([, link]) => link)
    assert.ok(links.length > 1)
    const follow = links.map((link) => `curl -sf -o /dev/null ${link}`)

    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const shell = spawn('bash', ['-c', scriptOf([...blocks, ...follow], url)], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        PORT: String(port),
        RODADO_URL: url,
      },
    })
    let [out, err] = ['', '']
    shell.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk))
    shell.stderr.setEncoding('utf8').on('data', (chunk) => (err += chunk))
    const [code] = await once(shell, 'close')
    assert.equal(code, 0, `${out}\n${err}`)

    assert.match(out, /Sign in at .*\/entrar with the password \S{10,}/)
    for (const mail of ['dev@gestion-automotor.prueba.example', 'personal@prueba.example'])
      assert.ok(out.includes(mail))
    assert.ok(err.includes(`200 OK\n`) && err.includes(`${shown[1]}\n`), err)
    for (const line of shown.slice(2)) assert.ok(out.includes(`${line}\n`), `${line} in ${out}`)
    assert.match(out, /"Fiat"/, 'with a token')
    const demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))
    assert.ok(demo.Agencias.length >= 3)
  })
})
