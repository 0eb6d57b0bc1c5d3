import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../../../tests/support/axe.ts'
import { hook, LOOPBACK, SECRET, storeEvents } from '../../../../tests/support/deliveries.ts'
import { makeDeveloper } from '../../../../tests/support/developer.ts'
import { fill, follow, isTitled, press, refused, waitForNotice, withPages } from '../../../../tests/support/pages.ts'
import { openReceiver, type Receiver } from '../../../../tests/support/receiver.ts'
import { until } from '../../../../tests/support/until.ts'
import { disableApp, setPrivateCallbacks, setTopics } from '../../../apps/store.ts'
import { keyOf, signatures, standardForm } from '../../../webhooks/headers.ts'

const TOPIC = 'consulta.recibida'

describe('webhooks in the portal', () => {
  const { server, onPage } = withPages({ env: LOOPBACK, worker: {} })
  let receiver: Receiver
  before(async () => {
    receiver = await openReceiver()
  })
  after(() => receiver.close())

  async function setUp(rol: 'titular' | 'desarrollador' = 'desarrollador') {
    const app = await server.newApp()
    const { visitor, account } = await makeDeveloper(server, app, { rol })
    const at = `/portal/${app.app.appKey}/webhooks`
    const apiSees = async (topic = TOPIC) => (await app.call('GET', `/v3/appnotificaciones/${topic}`)).json
    return { app, visitor, account, at, here: `${at}/${TOPIC}`, apiSees }
  }
  const secretIn = (text: string) => (/id="secreto"[^>]*>([^<]+)</.exec(text)?.[1] ?? '').replaceAll('&#x3D;', '=')
  const versionIn = (text: string) => (/name="version" value="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')

  it('200: every topic is there, what it tells and whether it has a webhook', async () => {
    const { app, visitor, at } = await setUp()
    assert.match((await visitor.get(at)).text, /Elija qué quiere recibir/)
    await hook(server, app, TOPIC, `${receiver.url}/x`)
    const { text } = await visitor.get(at)
    assert.match(
      text,
      /Configurados[\s\S]*consulta\.recibida[\s\S]*sin entregas[\s\S]*Sin webhook[\s\S]*agencia\.registrada/,
    )
    assert.ok(text.includes(`${receiver.url}/x`))
    assert.ok(!text.includes(SECRET))
  })

  it('201: configured as the API has it; a secret that we made is shown this once', async () => {
    const { visitor, here, apiSees, account } = await setUp()
    const Callback = `${receiver.url}/hecho`
    const form = {
      Callback,
      Description: 'CRM',
      firma: 'nueva',
      'HeaderCustom02.Name': 'X-Key',
      'HeaderCustom02.Value': 'v',
    }
    const answers = await Promise.all([visitor.post(here, form), visitor.post(here, form)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
      'a double click',
    )
    const [secret = '', same] = answers.map(({ text }) => secretIn(text))
    assert.match(secret, /^whsec_/)
    assert.equal(same, secret)
    const { HeaderCustom01, HeaderCustom02, Description, Activo, Secret, ...seen } = await apiSees()
    assert.equal(seen.Callback, Callback)
    assert.deepEqual(
      [HeaderCustom01, HeaderCustom02, Description, Activo, Secret],
      [null, { Name: 'X-Key', Value: 'v' }, 'CRM', true, `********${secret.slice(-4)}`],
    )
    assert.ok(!(await visitor.get(here)).text.includes(secret))
    const other = await visitor.post(here, { ...form, Description: 'ERP' })
    assert.deepEqual([other.status, other.headers.location], [303, here], 'another form does not show it')
    const noted = await server.store.query<{ act: string }>(sql`
      select act, detail from audit_log where account_id = ${account.id}`)
    assert.deepEqual(
      noted.map(({ act }) => act),
      ['webhook.configurar'],
    )
    assert.ok(!JSON.stringify(noted).includes(secret))
  })

  it('201: of a secret of their own, the form of Standard Webhooks is shown this once', async () => {
    const { visitor, here, account } = await setUp()
    const form = { Callback: `${receiver.url}/propia`, firma: 'propia', Secret: SECRET }
    const { status, text } = await visitor.post(here, form)
    assert.deepEqual([status, secretIn(text)], [201, standardForm(SECRET)])
    assert.ok(!(await visitor.get(here)).text.includes(standardForm(SECRET)))
    const audited = await server.store.query(sql`select * from audit_log where account_id = ${account.id}`)
    assert.ok(!JSON.stringify(audited).includes(standardForm(SECRET)))
  })

  it('201: one form serves several topics, with one secret', async () => {
    const { visitor, here, apiSees } = await setUp()
    const form = new URLSearchParams({ Callback: `${receiver.url}/v`, firma: 'nueva' })
    form.append('tambien', 'agencia.registrada')
    form.append('tambien', 'agencia.modificada')
    form.append('tambien', 'no.existe')
    const { status, text } = await visitor.post(here, form.toString())
    assert.equal(status, 201)
    const masked = `********${secretIn(text).slice(-4)}`
    for (const topic of [TOPIC, 'agencia.registrada', 'agencia.modificada'])
      assert.equal((await apiSees(topic)).Secret, masked)
  })

  it('400: what the API refuses is refused in its words, beside its field; nothing is configured', async () => {
    const { visitor, here, app } = await setUp()
    const wrong: [Record<string, string>, RegExp][] = [
      [{ Callback: '' }, /campo-Callback-error/],
      [{ Callback: 'ftp://example.com/x' }, /Debe ser una dirección https/],
      [{ Callback: 'https://10.0.0.1/x' }, /privada o reservada/],
      [
        { Callback: 'https://x.test/', firma: 'propia', Secret: 'corto' },
        /campo-Secret-error"[^>]*>De 16 a 256 caracteres/,
      ],
      [{ Callback: 'https://x.test/', 'HeaderCustom01.Name': 'Host', 'HeaderCustom01.Value': 'x' }, /use otro nombre/],
      [{ Callback: 'https://x.test/', 'HeaderCustom01.Name': 'X-A' }, /campo-HeaderCustom01\.Value-error/],
    ]
    for (const [form, saying] of wrong) {
      const { status, text } = await visitor.post(here, form)
      assert.equal(status, 400, JSON.stringify(form))
      assert.match(text, saying)
    }
    assert.equal((await app.call('GET', `/v3/appnotificaciones/${TOPIC}`)).status, 404)
  })

  it('201: up to five endpoints of a topic; 400: a sixth, and "only some" agencies without any; 404: others', async () => {
    const { app, visitor, here } = await setUp()
    await hook(server, app, TOPIC, `${receiver.url}/uno`)
    const add = (form = {}) => visitor.post(`${here}/destinos`, { Callback: `${receiver.url}/mas`, ...form })
    const none = await add({ alcance: 'algunas' })
    assert.deepEqual([none.status, /campo-Agencias-error/.test(none.text)], [400, true])
    for (const nth of [2, 3, 4, 5]) {
      const { status, text } = await add({ Description: `Sistema ${nth}` })
      assert.equal(status, 201, text)
      assert.ok(text.includes(`action="${here}/destinos/${nth}/prueba"`))
    }
    const sixth = await add()
    assert.deepEqual([sixth.status, /hasta 5 destinos/.test(sixth.text)], [400, true])
    const { text } = await visitor.get(`${here}/destinos/3`)
    assert.match(text, /<h1>consulta\.recibida: Sistema 3<\/h1>/)
    assert.ok(!text.includes('Agregar otro destino') && text.includes(`href="${here}/destinos/5"`))
    const { text: full } = await visitor.get(`${here}/destinos`)
    assert.ok(full.includes('ya tiene 5 destinos, que es el máximo') && !full.includes('name="Callback"'))
    for (const nth of ['6', '0', 'x', '33'])
      assert.equal((await visitor.get(`${here}/destinos/${nth}`)).status, 404, nth)

    const version = versionIn((await visitor.get(`${here}/editar`)).text)
    const form = { Callback: `${receiver.url}/uno`, alcance: 'todas', EnOrden: 'si', Version: '1', version }
    assert.equal((await visitor.post(`${here}/editar`, form)).headers.location, here)
    const { json } = await app.get(`/v3/appnotificaciones/${TOPIC}/destinos/1`)
    assert.deepEqual([json.EnOrden, json.Agencias, json.Secret !== null], [true, null, true])
    assert.equal((await visitor.post(`${here}/editar`, form)).status, 409, 'it was ordered in between')
    assert.equal((await visitor.post(`${here}/destinos/2/suspender`)).headers.location, `${here}/destinos/2`)
    assert.equal((await app.get(`/v3/appnotificaciones/${TOPIC}/destinos/2`)).json.Activo, false)
  })

  it('201: a double click adds one endpoint, and both answers show its secret; another form with its number adds its own', async () => {
    const { app, visitor, here, account } = await setUp()
    await hook(server, app, TOPIC, `${receiver.url}/uno`)
    const shown = (await visitor.get(`${here}/destinos`)).text
    const destino = /name="destino" value="(\d)"/.exec(shown)?.[1] ?? ''
    assert.equal(destino, '2')
    const form = { Callback: `${receiver.url}/doble`, firma: 'nueva', destino }
    const answers = await Promise.all([visitor.post(`${here}/destinos`, form), visitor.post(`${here}/destinos`, form)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    const [secret, same] = answers.map(({ text }) => secretIn(text))
    assert.ok(secret && secret === same)
    const count = async () => (await app.get(`/v3/appnotificaciones/${TOPIC}/destinos`)).json._entries.length
    assert.equal(await count(), 2)
    const audited = await server.store.query(sql`select from audit_log where account_id = ${account.id}`)
    assert.equal(audited.length, 1)

    const other = await visitor.post(`${here}/destinos`, { ...form, Callback: `${receiver.url}/otra` })
    assert.equal(other.status, 201)
    assert.notEqual(secretIn(other.text), secret)
    await server.store.query(
      sql`update webhooks set created_at = now() - interval '1 hour' where app_id = ${app.app.id}`,
    )
    assert.notEqual(
      secretIn((await visitor.post(`${here}/destinos`, form)).text),
      secret,
      'much later it is a new form',
    )
    assert.equal(await count(), 4)
  })

  it('303: edited, without touching the secret; 409 with both values where somebody else was faster', async () => {
    const { app, visitor, here, apiSees } = await setUp()
    await hook(server, app, TOPIC, `${receiver.url}/a`)
    const version = versionIn((await visitor.get(`${here}/editar`)).text)
    const saved = await visitor.post(`${here}/editar`, { Callback: `${receiver.url}/b`, version })
    assert.deepEqual([saved.status, saved.headers.location], [303, here])
    const seen = await apiSees()
    assert.deepEqual([seen.Callback, seen.Secret], [`${receiver.url}/b`, `********${SECRET.slice(-4)}`])
    const typed = { Callback: `${receiver.url}/c`, Description: 'El nuestro', EnOrden: 'si', Version: '1' }
    const late = await visitor.post(`${here}/editar`, { ...typed, version })
    assert.equal(late.status, 409)
    assert.match(late.text, /Alguien cambió los datos mientras usted escribía/)
    assert.ok(late.text.includes(`Ahora dice: ${receiver.url}/b`))
    assert.match(late.text, /Ahora dice: \(vacío\)[\s\S]*Ahora no está marcado/)
    assert.ok(late.text.includes(`value="${typed.Callback}"`) && late.text.includes('value="El nuestro"'))
    assert.equal((await apiSees()).Callback, `${receiver.url}/b`)
    const wrong = await visitor.post(`${here}/editar`, { ...typed, Callback: 'x', version })
    assert.deepEqual([wrong.status, versionIn(wrong.text)], [400, version], 'a refused form is as old as before')
    const again = await visitor.post(`${here}/editar`, { ...typed, version: versionIn(late.text) })
    assert.equal(again.status, 303)
    assert.deepEqual([(await apiSees()).Callback, (await apiSees()).Description], [typed.Callback, typed.Description])
  })

  it('201, 303: the secret is replaced by ours, by theirs, or by none; twice from one form is refused', async () => {
    const { app, visitor, here, apiSees } = await setUp()
    await hook(server, app, TOPIC, `${receiver.url}/s`)
    const version = async () => versionIn((await visitor.get(`${here}/secret`)).text)
    const first = await version()
    const created = await visitor.post(`${here}/secret`, { firma: 'nueva', version: first })
    assert.equal(created.status, 201)
    assert.equal((await apiSees()).Secret, `********${secretIn(created.text).slice(-4)}`)
    const late = await visitor.post(`${here}/secret`, { firma: 'nueva', version: first })
    assert.equal(late.status, 409)
    assert.match(late.text, /Guarde de nuevo si todavía quiere cambiar la firma/)
    assert.doesNotMatch(late.text, /Revise lo que dice ahora/, 'the page shows no stored value')
    const short = await visitor.post(`${here}/secret`, { firma: 'propia', Secret: 'x', version: first })
    assert.deepEqual([short.status, versionIn(short.text)], [400, first], 'a refused form is as old as before')
    const own = { firma: 'propia', Secret: 'una-clave-propia-1234', version: await version() }
    const theirs = await visitor.post(`${here}/secret`, own)
    assert.deepEqual([theirs.status, secretIn(theirs.text)], [201, standardForm(own.Secret)])
    assert.match(theirs.text, /\*{8}1234[\s\S]*no se\s+vuelve a mostrar/)
    assert.ok(!(await visitor.get(here)).text.includes(standardForm(own.Secret)))
    assert.equal((await apiSees()).Secret, '********1234')
    const repeated = await visitor.post(`${here}/secret`, { ...own, version: await version() })
    assert.equal(repeated.status, 303, 'the same again sets nothing')
    assert.equal((await visitor.post(`${here}/secret`, { firma: 'sin', version: await version() })).status, 303)
    assert.equal((await apiSees()).Secret, null)
    assert.match((await visitor.get(here)).text, /sin firma/)
  })

  it('303: suspended, nothing is sent; resumed, it begins with a clean record', async () => {
    const { app, visitor, here, apiSees } = await setUp()
    const id = await hook(server, app, TOPIC, `${receiver.url}/off`)
    assert.equal((await visitor.post(`${here}/suspender`)).headers.location, here)
    assert.equal((await apiSees()).Activo, false)
    const page = (await visitor.get(here)).text
    assert.match(page, /Está suspendido/)
    assert.doesNotMatch(page, /Enviar una notificación de prueba/)
    assert.equal((await visitor.post(`${here}/prueba`)).headers.location, here)
    await storeEvents(server, app, TOPIC)
    await server.store.query(sql`update webhooks set disabled_at = now(), disabled_by = 'fallas' where id = ${id}`)
    assert.match((await visitor.get(here)).text, /Está deshabilitado/)
    assert.equal((await visitor.post(`${here}/reanudar`)).status, 303)
    assert.deepEqual([(await apiSees()).Activo, (await apiSees()).Salud.Estado], [true, 'sin-entregas'])
    await disableApp(server.store, app.app.appKey, true)
    const refused = await visitor.post(`${here}/prueba`)
    assert.deepEqual([refused.headers.location, refused.headers['set-cookie']], [here, undefined])
    assert.match((await visitor.get(here)).text, /El mercado deshabilitó esta app/)
    assert.equal(receiver.received.filter(({ path }) => path === '/off').length, 0)
  })

  it('303: paused, although its address is no longer allowed; 400: not switched on, and not moved to another such', async () => {
    const { app, visitor, here, apiSees } = await setUp()
    const callback = 'https://10.1.2.3/receptor'
    await setPrivateCallbacks(server.store, app.app.appKey, ['10.0.0.0/8'])
    await until(async () => (await visitor.post(here, { Callback: callback, firma: 'nueva' })).status === 201)
    await setPrivateCallbacks(server.store, app.app.appKey, [])
    const form = { Callback: callback, Description: 'CRM viejo', Version: '1' }
    const edit = async (more = {}) => {
      const version = versionIn((await visitor.get(`${here}/editar`)).text)
      return visitor.post(`${here}/editar`, { ...form, ...more, version })
    }
    await until(async () => (await edit({ Callback: 'https://10.1.2.4/otro' })).status === 400)
    assert.equal((await edit()).status, 303)
    assert.equal((await visitor.post(`${here}/suspender`)).headers.location, here)
    assert.deepEqual([(await apiSees()).Activo, (await apiSees()).Description], [false, 'CRM viejo'])
    assert.equal((await visitor.post(`${here}/reanudar`)).status, 400)
    const body = JSON.stringify({ Callback: callback, Activo: true })
    assert.equal((await app.call('PUT', `/v3/appnotificaciones/${TOPIC}`, { body })).status, 400)
    assert.equal((await apiSees()).Activo, false)
  })

  it('200: why nothing arrives is said: a pause, what waits, a 410, a secret that still signs', async () => {
    const { app, visitor, here } = await setUp()
    const id = await hook(server, app, TOPIC, `${receiver.url}/espera`)
    await server.store.query(sql`update webhooks set paused_until = now() + interval '5 minutes' where id = ${id}`)
    await storeEvents(server, app, TOPIC, 3)
    const paused = (await visitor.get(here)).text
    assert.match(paused, /3 esperan su envío/)
    assert.match(paused, /En pausa hasta/)
    const version = versionIn((await visitor.get(`${here}/secret`)).text)
    await visitor.post(`${here}/secret`, { firma: 'nueva', version })
    assert.match((await visitor.get(here)).text, /El anterior también firma. Hasta: /)
    await server.store.query(sql`update webhooks set disabled_at = now(), disabled_by = '410' where id = ${id}`)
    assert.match((await visitor.get(here)).text, /respondió 410, que quiere decir «no envíe más»/)
  })

  it('303: removed after a question, also where the topic was withdrawn; 404 for topics there are not', async () => {
    const { app, visitor, at, here } = await setUp()
    await hook(server, app, TOPIC, `${receiver.url}/x`)
    await setTopics(server.store, app.app.appKey, ['agencia.registrada'])
    const page = (await visitor.get(here)).text
    assert.match(page, /El mercado retiró este topic/)
    assert.doesNotMatch(page, /Editar|Suspender/)
    for (const act of ['editar', 'secret', 'suspender', 'prueba'])
      assert.equal((await visitor.post(`${here}/${act}`)).status, 404, act)
    assert.match((await visitor.get(`${here}/eliminar`)).text, /¿Eliminar el webhook/)
    const gone = await visitor.post(`${here}/eliminar`)
    assert.deepEqual([gone.status, gone.headers.location], [303, at])
    for (const missing of [here, `${at}/no.existe`, `${here}/editar`, `${here}/eliminar`])
      assert.equal((await visitor.get(missing)).status, 404, missing)
    assert.match((await visitor.get(`${here}/editar`)).text, /<p>Ese webhook no existe\.<\/p>/, 'nothing about the API')
    assert.equal((await visitor.post(here, { Callback: 'https://x.test/' })).status, 404)
  })

  it('in a browser: from nothing to a test that arrived, signed, by what the pages say', async () => {
    const { visitor, at } = await setUp()
    await onPage('portal-webhooks', { as: visitor }, async (page) => {
      await page.goto(at)
      await assertAccessible(page)
      await page.getByRole('link', { name: 'Configurar consulta.recibida' }).click()
      await assertAccessible(page)
      await page.getByLabel('Dirección de su receptor').fill('https://192.168.0.1/')
      await page.getByRole('button', { name: 'Configurar' }).click()
      await page.getByRole('alert').getByText('privada o reservada').waitFor()
      await assertAccessible(page)
      const own = page.getByLabel('Su Secret', { exact: true })
      assert.equal(await own.isVisible(), false, 'nobody is asked for a secret that we make')
      await page.getByLabel('Usar el mío').check()
      assert.equal(await own.isVisible(), true)
      await page.getByLabel('Crear un Secret seguro').check()
      await page.getByLabel('Dirección de su receptor').fill(`${receiver.url}/navegador`)
      await page.getByRole('button', { name: 'Configurar' }).click()
      const secret = (await page.locator('#secreto').textContent()) ?? ''
      await assertAccessible(page)
      await page.getByRole('button', { name: 'Enviar una notificación de prueba' }).click()
      await page.getByText('El receptor la aceptó.').waitFor() // by itself
      const [arrived] = await receiver.waitFor(1, '/navegador')
      const { id = '', body = '', headers = {} } = arrived ?? {}
      const timestamp = headers['webhook-timestamp'] ?? ''
      const message = { id, timestamp, topic: TOPIC, body: Buffer.from(body) }
      assert.equal(headers['webhook-signature'], signatures([keyOf(secret)], message)[1])
    })
  })

  it('in a browser: a webhook is edited, signed anew, suspended, resumed and removed', async () => {
    const { app, visitor, here, apiSees } = await setUp()
    await hook(server, app, TOPIC, `${receiver.url}/antes`)
    await onPage('portal-webhook', { as: visitor }, async (page) => {
      await page.goto(here)
      await assertAccessible(page)
      await follow(page, 'Editar')
      await assertAccessible(page)
      await fill(page, { 'Dirección de su receptor': 'ftp://ejemplo' })
      await press(page, 'Guardar')
      await refused(page, 'http')
      await fill(page, { 'Dirección de su receptor': `${receiver.url}/despues` })
      await press(page, 'Guardar')
      await waitForNotice(page, 'Se guardó la configuración')
      assert.equal((await apiSees()).Callback, `${receiver.url}/despues`)

      await follow(page, 'Cambiar el Secret')
      await assertAccessible(page)
      await page.getByLabel('Usar el mío').check()
      await fill(page, { 'Su Secret': 'corto' })
      await press(page, 'Guardar')
      await page.getByRole('alert').waitFor()
      await fill(page, { 'Su Secret': 'un secreto bastante largo' })
      await press(page, 'Guardar')
      assert.equal(await page.locator('#secreto').textContent(), standardForm('un secreto bastante largo'))
      await assertAccessible(page)
      await follow(page, 'Ir al webhook')
      await page.getByText('********argo').waitFor()

      await press(page, 'Suspender')
      await waitForNotice(page, 'no se le envía nada hasta que lo reanude')
      assert.equal((await apiSees()).Activo, false)
      await press(page, 'Reanudar')
      await waitForNotice(page, 'Se reanudó el webhook: vuelve a recibir notificaciones')
      assert.equal((await apiSees()).Activo, true)

      await follow(page, 'Eliminar')
      await isTitled(page, `¿Eliminar el webhook de ${TOPIC}?`)
      await assertAccessible(page)
      await press(page, 'Sí, eliminar')
      await waitForNotice(page, 'Se eliminó el webhook')
      assert.equal((await app.get(`/v3/appnotificaciones/${TOPIC}`)).status, 404)
    })
  })
})
