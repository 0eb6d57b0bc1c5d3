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
    const shown = /^200 (rule=\w+, score=[\d.]+) \{ Nombre: '(.+?)'/m.exec(readme)
    assert.ok(shown, 'the README shows what the first call prints')
    const shorter = /`(npx rodado call GET .+?)`/.exec(readme)?.[1] ?? ''
    assert.ok(shorter, 'the README has the shorter call')

    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const shell = spawn('bash', ['-c', scriptOf([...blocks, shorter], url)], {
      cwd: folder,
      env: {
        ...process.env,
        ...{ PATH: `${join(folder, 'bin')}:${process.env.PATH}`, PORT: String(port), RODADO_URL: url },
      },
    })
    let [out, err] = ['', '']
    shell.stdout.setEncoding('utf8').on('data', (chunk) => (out += chunk))
    shell.stderr.setEncoding('utf8').on('data', (chunk) => (err += chunk))
    const [code] = await once(shell, 'close')
    assert.equal(code, 0, `${out}\n${err}`)

    assert.ok(out.startsWith(`200 ${shown[1]}`), out)
    assert.match(out, new RegExp(`Nombre: '${shown[2]}'`))
    assert.match(out, /"Fiat"/, 'with a token')
    assert.match(out, /"Azul/, 'the shorter call')
    const market = JSON.parse(await readFile(join(folder, 'market.json'), 'utf8'))
    assert.ok(market.Agencias.length >= 3)
  })
})
