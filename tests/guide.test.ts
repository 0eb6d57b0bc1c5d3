import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from './support/free-port.ts'
import { npx } from './support/npx.ts'

/** The commands of a guide, in order. */
async function commandsOf(guide: string): Promise<string> {
  const text = await readFile(new URL(`../docs/${guide}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block).join('\n')
}

describe('docs/partner-guide.md', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(process.env.RODADO_TEST_RUN ?? tmpdir(), 'guide-'))
    await mkdir(join(folder, 'bin'))
    await writeFile(join(folder, 'bin', 'npx'), npx(), { mode: 0o755 })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('its commands lead from an empty folder to an associated dealership whose events arrive, without a mail server', async () => {
    const [port, receiver] = [await freePort(), await freePort()]
    const cleanup = 'kill $(jobs -p) || true; wait || true' // its database is gone before the folder is
    const script = `set -euo pipefail\ntrap '${cleanup}' EXIT\n${await commandsOf('partner-guide.md')}`
    const path = `${join(folder, 'bin')}:${process.env.PATH}`
    const url = `http://127.0.0.1:${port}`
    const shell = spawn('bash', ['-c', script], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: path,
        PORT: String(port),
        RODADO_URL: url,
        RECEIVER_PORT: String(receiver),
      },
    })
    let [out, err] = ['', '']
    shell.stdout.on('data', (chunk) => (out += chunk))
    shell.stderr.on('data', (chunk) => (err += chunk))
    const [code] = await once(shell, 'close')
    assert.equal(code, 0, `${out}\n${err}\n${await readFile(join(folder, 'rodado.log'), 'utf8').catch(() => '')}`)

    const lines = out.split('\n')
    assert.ok(lines.indexOf('invitada') > 0)
    assert.ok(lines.indexOf('303') > lines.indexOf('invitada'), 'the form ends in a signed-in account')
    assert.ok(lines.indexOf('asociada') > lines.indexOf('303'))
    assert.ok(lines.indexOf('agencia.registrada ejemplo@agencia.example test') > lines.indexOf('asociada'))
    assert.ok(lines.indexOf('agencia.registrada ana@automotores.test true') > lines.indexOf('asociada'))
    assert.ok(lines.some((line) => /^Volkswagen Amarok: Activa, Alta$/.test(line)))
    for (const row of ['AB-1023 modificada', 'AB-1024 creada', 'AB-1025 rechazada']) assert.ok(lines.includes(row), row)
    for (const line of ['1: Volkswagen Amarok', 'contactada']) assert.ok(lines.includes(line), line)
    assert.ok(out.includes('All 15 passed'), 'the receiver of the guide is one to learn from')
    for (const line of ['3 agencies in the sandbox', '3 inquiries came']) assert.ok(lines.includes(line), line)
    assert.ok(
      lines.some((line) => /^agencia\.registrada [0-9A-Z]{26}$/.test(line)),
      'the feed',
    )

    const log = await readFile(join(folder, 'rodado.log'), 'utf8')
    const [email] = JSON.parse(await readFile(join(folder, 'mails.json'), 'utf8'))
    const token = /\/registro\/([\w-]+)/.exec(email.text)?.[1] ?? ''
    assert.ok(token.length >= 43)
    // Telephones whole: times and request ids hold any four digits now and then.
    const telephones = ['4242-4242', '42424242', '555-0134', '5550134']
    for (const personal of ['ana@', 'Suárez', token, 'Lucía', 'lucia@', ...telephones])
      assert.ok(!log.includes(personal), `the log holds ${personal}`)
  })
})
