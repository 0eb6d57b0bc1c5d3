import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import { insertConsulta } from '../../tests/support/consulta.ts'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { countOf } from '../resources/consultas/erase-person.ts'
import { run } from './run.ts'

const agencia = { id: 7, modo: 'produccion', adminMail: 'ana@agencia.test' } as const

let database: TestDatabase
let env: Record<string, string>
before(async () => {
  database = await createDatabase()
  env = { DATABASE_URL: urlOf(database), MASTER_KEY: randomBytes(32).toString('hex') }
})
after(() => database.drop())

function urlOf({ connection }: TestDatabase): string {
  if (connection.connectionString) return connection.connectionString
  const { host = '', port, user, password, database } = connection
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
  return `postgres://${user}${secret}@/${database}?host=${encodeURIComponent(host)}${port ? `&port=${port}` : ''}`
}

/** What is typed at a terminal goes in at once, and then nothing more; a program leaves its pipe open. */
async function rodado(args: string[], typed?: string) {
  const [out, err, input] = [new PassThrough(), new PassThrough(), new PassThrough()]
  if (typed !== undefined) Object.assign(input, { isTTY: true }).end(typed)
  const code = await run(['suprimir', ...args], { out, err, input, env })
  return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
}

test('suprimir --si --json: one JSON value, the receipt; again, with the former one', async () => {
  await insertConsulta(database.store, { agencia, interesado: { Email: 'one@correo.test' } })
  const first = await rodado(['--email', 'ONE@correo.test', '--si', '--json'])
  assert.deepEqual([first.code, first.err], [0, ''])
  const receipt = JSON.parse(first.out)
  assert.match(receipt.Id, /^[0-9A-Z]{26}$/)
  assert.deepEqual([receipt.Consultas, receipt.Eventos, receipt.Apps, receipt.Antes], [1, 0, 0, []])
  const again = JSON.parse((await rodado(['--email', 'one@correo.test', '--yes', '--json'])).out)
  assert.deepEqual([again.Consultas, again.Antes], [0, [{ Id: receipt.Id, Momento: receipt.Momento }]])
})

test('suprimir --email: without a terminal it erases without a question, with or without --json', async () => {
  const person = { email: 'called@correo.test' }
  for (const json of [[], ['--json']]) {
    await insertConsulta(database.store, { agencia, interesado: { Email: person.email } })
    const { code, err } = await rodado(['--email', person.email, ...json])
    assert.deepEqual([code, err], [0, ''])
    assert.equal(await countOf(database.store, person, 'AR'), 0)
  }
})

test('suprimir --json: at a terminal neither, since its answer is one value', async () => {
  const { code, out, err } = await rodado(['--email', 'nadie-aun@correo.test', '--json'], '')
  assert.deepEqual([code, err, JSON.parse(out).Consultas], [0, '', 0])
})

test('suprimir: at a terminal asks once more, says how many, and takes no for an answer', async () => {
  const person = { email: 'two@correo.test' }
  await insertConsulta(database.store, { agencia, interesado: { Email: person.email } })
  for (const typed of ['', 'n\n', 'quizás\n']) {
    const { code, out, err } = await rodado(['--email', person.email], typed)
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /1 inquiry of that person/)
  }
  assert.equal(await countOf(database.store, person, 'AR'), 1)
  const { code, out } = await rodado(['--email', person.email], 'sí\n')
  assert.equal(code, 0)
  assert.match(out, /Receipt [0-9A-Z]{26}/)
  assert.equal(await countOf(database.store, person, 'AR'), 0)
  assert.match((await rodado(['--email', person.email, '--si'])).out, /^Nothing of that person was found\. Receipt/)
})

test('suprimir: an inquiry that shares only the telephone stays, and is reported before and after', async () => {
  const left = [
    { Email: 'three@correo.test', Telefono: '341 555-0199' },
    { Email: '', Telefono: '(341) 5550199' },
    { Email: 'otra@correo.test', Telefono: '341-555-0199' },
    { Email: 'nadie@correo.test', Telefono: '341 555-0000' },
  ]
  for (const interesado of left) await insertConsulta(database.store, { agencia, interesado })
  const refusal = await rodado(['--email', 'three@correo.test'], 'n\n')
  assert.match(refusal.err, /^2 inquiries more .* stay: .*--telefono\.\n1 inquiry of that person/)
  const receipt = JSON.parse((await rodado(['--email', 'three@correo.test', '--si', '--json'])).out)
  assert.deepEqual([receipt.Consultas, receipt.Relacionadas], [1, 2])
  const rest = await rodado(['--telefono', '3415550199', '--si'])
  assert.match(rest.out, /inquiries 2,/)
  assert.doesNotMatch(rest.out, /more with/)
})

test('suprimir: a wrong command line is reported, and nothing is done', async () => {
  for (const args of [
    [],
    ['--email', 'x'],
    ['--telefono', '---'],
    ['--telefono', '1'],
    ['--telefono', '12 34-5', '--email', 'a@b.test'],
    ['--email', 'a@b.test', '--modo', 'x'],
    ['a@b.test'],
  ]) {
    const { code, err } = await rodado(args)
    assert.equal(code, 2)
    assert.match(err, /Usage: rodado suprimir/)
  }
})
