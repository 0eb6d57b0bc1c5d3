import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import sql from 'sql-template-tag'
import { brandWith } from '../../tests/support/brand.ts'
import { createDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { passwordEmail } from '../mail/compose.ts'
import { enqueueEmail } from '../mail/email.ts'
import { createSeal } from '../store/sealed.ts'
import { run } from './run.ts'

const MASTER_KEY = randomBytes(32)
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}-03:00$/

let database: TestDatabase
let env: Record<string, string>
before(async () => {
  database = await createDatabase()
  env = { DATABASE_URL: urlOf(database), MASTER_KEY: MASTER_KEY.toString('hex') }
})
after(() => database.drop())

function urlOf({ connection }: TestDatabase): string {
  if (connection.connectionString) return connection.connectionString
  const { host = '', port, user, password, database } = connection
  const secret = typeof password === 'string' ? `:${encodeURIComponent(password)}` : ''
  return `postgres://${user}${secret}@/${database}?host=${encodeURIComponent(host)}${port ? `&port=${port}` : ''}`
}

async function rodado(...args: string[]) {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const code = await run(args, { out, err, env })
  return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') }
}

test('mails: newest first, one JSON value; to one address; the last of them; readable without --json', async () => {
  assert.deepEqual(await rodado('mails', '--json'), { code: 0, out: '[]\n', err: '' })
  assert.match((await rodado('mails')).out, /no emails/)

  const seal = createSeal(MASTER_KEY)
  for (const name of ['ana', 'beto', 'carla'])
    await enqueueEmail(
      database.store,
      seal,
      passwordEmail({
        to: `${name}@x.test`,
        nombre: name,
        url: `https://r.test/clave/${name}`,
        horas: 1,
        brand: brandWith(),
      }),
    )
  const mails = JSON.parse((await rodado('mails', '--json')).out)
  assert.deepEqual(
    mails.map(({ to }: { to: string }) => to),
    ['carla@x.test', 'beto@x.test', 'ana@x.test'],
  )
  assert.deepEqual(Object.keys(mails[0]).sort(), ['at', 'estado', 'html', 'subject', 'text', 'to'])
  assert.match(mails[0].at, TIMESTAMP)
  assert.match(mails[0].text, /https:\/\/r\.test\/clave\/carla/)

  assert.equal(JSON.parse((await rodado('mails', '--to', 'Beto@x.test', '--json')).out).length, 1)
  assert.equal(JSON.parse((await rodado('mails', '--last', '2', '--json')).out).length, 2)
  const { out } = await rodado('mails', '--last', '1')
  assert.match(out, /To: {6}carla@x\.test\nSubject: Elija una contraseña nueva.*\nDate: .*\nStatus: {2}pendiente\n/)
})

test('mails: a wrong command line is reported, with the usage', async () => {
  for (const args of [['--last', '0'], ['--last', 'x'], ['ana@x.test'], ['--from', 'x']]) {
    const { code, err } = await rodado('mails', ...args)
    assert.equal(code, 2, args.join(' '))
    assert.match(err, /Usage: rodado mails/)
  }
})

test('mails: reading them is in the audit log, without their content', async () => {
  await rodado('mails', '--last', '1', '--json')
  const read = await database.store.query<{ via: string; detail: object }>(
    sql`select via, detail from audit_log where act = 'correos.leer' order by id desc limit 1`,
  )
  assert.deepEqual(read, [{ via: 'comando', detail: { cantidad: 1 } }])
})
