import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CASES } from '../../cli/src/certify/cases.ts'
import { createProbe } from '../../cli/src/certify/probe.ts'
import { keyOf, signatures } from '../../src/webhooks/headers.ts'
import { send } from './caller.ts'
import { freePort } from './free-port.ts'
import type { Programs } from './program.ts'
import { until } from './until.ts'

type Headers = Record<string, string | undefined>

/** The shell checks one delivery: a changed body, another secret and an old time are distinguished. */
export async function verifyByHand(programs: Programs, secret: string, headers: Headers, body: string): Promise<void> {
  const env = {
    ID: headers['webhook-id'] ?? '',
    MOMENTO: headers['webhook-timestamp'] ?? '',
    FIRMAS: headers['webhook-signature'] ?? '',
    SECRET: secret,
  }
  const look = async (more = {}) => (await programs.run('verificar', [], { ...env, ...more })).ok
  await writeFile(join(programs.folder, 'cuerpo.json'), body)
  assert.ok(await look())
  assert.ok(await look({ FIRMAS: `v1,AAAA ${env.FIRMAS}` }), 'one of two that fits is enough')
  assert.ok(!(await look({ SECRET: 'otra clave, que no es' })))
  assert.ok(!(await look({ SECRET: '' })))
  assert.ok(!(await look(signed(secret, body, -600))))
  await writeFile(join(programs.folder, 'cuerpo.json'), `${body} `)
  assert.ok(!(await look()))
}

/** Shell variables for a delivery signed so many seconds from now. */
function signed(secret: string, body: string, seconds: number) {
  const [id, timestamp] = ['01JNG3Y4Z5A6B7C8D9E0F1G2H3', String(Math.floor(Date.now() / 1000) + seconds)]
  const message = { id, timestamp, topic: 'webhook.prueba', body: Buffer.from(body) }
  return { ID: id, MOMENTO: timestamp, FIRMAS: signatures([keyOf(secret)], message)[1] ?? '' }
}

/** A receiver accepts a delivery once, recognises repeats, and refuses forged ones. */
export async function verifyByReceiver(
  programs: Programs,
  secret: string,
  headers: Headers,
  body: string,
): Promise<void> {
  assert.ok(!(await programs.run('verificar', [], { SECRET: '' })).ok, 'without a secret it does not begin')
  const PORT = String(await freePort())
  const receiver = programs.start('verificar', { SECRET: secret, PORT })
  try {
    let printed = ''
    for (const output of [receiver.stdout, receiver.stderr]) output.on('data', (chunk) => (printed += chunk))
    const post = async ({ ID, MOMENTO, FIRMAS }: ReturnType<typeof signed>, sent = body) => {
      const own = { 'webhook-id': ID, 'webhook-timestamp': MOMENTO, 'webhook-signature': FIRMAS }
      const framed = { ...own, 'content-length': String(Buffer.byteLength(sent)) }
      return (await send(`http://127.0.0.1:${PORT}`, '/avisos', { method: 'POST', headers: framed, body: sent })).status
    }
    await until(() => post(signed('otra clave, que no es', body, 0)).catch(() => false))
    const asItCame = {
      ID: headers['webhook-id'] ?? '',
      MOMENTO: headers['webhook-timestamp'] ?? '',
      FIRMAS: headers['webhook-signature'] ?? '',
    }
    assert.equal(await post(signed('otra clave, que no es', body, 0)), 401)
    assert.equal(await post(signed(secret, body, -600)), 401, 'too old')
    assert.equal(await post({ ...asItCame, MOMENTO: 'ayer' }), 401)
    assert.equal(await post(asItCame, `${body} `), 401, 'other bytes')
    assert.equal(await post({ ...asItCame, FIRMAS: `v1,AAAA ${asItCame.FIRMAS}` }), 204, 'one of two is enough')
    assert.equal(await post(asItCame), 204)
    await until(() => printed.includes(`nuevo ${asItCame.ID}`) && printed.includes(`repetido ${asItCame.ID}`))
    assert.equal(printed.split(`nuevo ${asItCame.ID}`).length, 2, 'it counts once')
    assert.ok(existsSync(join(programs.folder, 'notificaciones', `${asItCame.ID}.json`)))
    await certify(`http://127.0.0.1:${PORT}/avisos`, secret)
  } finally {
    receiver.kill()
  }
}

/** The receiver passes `rodado certify`. */
async function certify(receiver: string, secret: string): Promise<void> {
  const probe = createProbe({ receiver, secret })
  for (const { name, expects, run } of CASES) {
    const statuses = (await run(probe)).map(({ status = 0 }) => Math.floor(status / 100))
    const right = expects === 'accepts' ? 2 : 4
    assert.ok(statuses.length > 0 && statuses.every((hundreds) => hundreds === right), `${name}: ${statuses}`)
  }
}
