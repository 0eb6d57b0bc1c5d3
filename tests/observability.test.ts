import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { DASHBOARD_FILE, dashboardText } from '../scripts/grafana.ts'
import { depsOf, makeAgencia } from './support/agencia.ts'
import { createDatabase, type TestDatabase } from './support/database.ts'
import { freePort } from './support/free-port.ts'
import { type OtlpReceiver, openOtlpReceiver, type ReceivedSpan } from './support/otlp-receiver.ts'
import { makePublicacion } from './support/publicacion.ts'
import { openReceiver, type Receiver } from './support/receiver.ts'
import { processLogs, type RodadoProcess, startRodado } from './support/rodado-process.ts'
import { startServer } from './support/server.ts'
import { until } from './support/until.ts'

const PROMETHEUS = fileURLToPath(new URL('../packaging/prometheus/', import.meta.url))
const RULES = `${PROMETHEUS}rodado.rules.yml`
const ROUTE = '/interno/v1/consultas'
const SERVER = 2
/** Metrics that only exist with replicas, with a public https address, or in the embedded store. */
const CONDITIONAL = /^rodado_(replica|certificate|disk)_/

describe('a running installation', () => {
  let database: TestDatabase
  let receiver: Receiver
  let collector: OtlpReceiver
  let sitioKey: string
  let aviso: number
  /** One that delivers itself, and one that leaves it to the first. */
  let all: RodadoProcess
  let api: RodadoProcess
  const ports: number[] = []
  before(async () => {
    ;[database, receiver, collector] = [await createDatabase(), await openReceiver(), await openOtlpReceiver()]
    const env = { ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8' }
    const setUp = await startServer({ connection: database.connection, env })
    const app = await setUp.newApp()
    const { agencia } = await makeAgencia(depsOf(setUp), app.app)
    aviso = (await makePublicacion(setUp.store, app.app, agencia)).id
    sitioKey = (await setUp.newSitio()).sitioKey
    const body = JSON.stringify({ Callback: receiver.url })
    assert.equal((await app.call('POST', '/v3/appnotificaciones/consulta.recibida', { body })).status, 201)
    await setUp.stop()
    const start = async (role: string) => {
      const port = await freePort()
      ports.push(port)
      return startRodado(database.connection, setUp.masterKey, {
        ...env,
        ROLE: role,
        METRICS_PORT: String(port),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: '50',
      })
    }
    ;[all, api] = [await start('all'), await start('api')]
  })
  after(async () => {
    await Promise.all([all.stop(), api.stop()])
    await Promise.all([receiver.close(), collector.close()])
    await database.drop()
  })

  /** Sends an inquiry as part of a new trace; returns its trace and the span that called. */
  async function post({ url }: RodadoProcess, nombre: string): Promise<{ traceId: string; spanId: string }> {
    const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
    const response = await fetch(url + ROUTE, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${sitioKey}`,
        'content-type': 'application/json',
        traceparent: `00-${traceId}-${spanId}-01`,
      },
      body: JSON.stringify({
        Aviso: aviso,
        OrigenLead: 'form',
        Interesado: { Nombre: nombre, Email: `${nombre}@correo.test` },
      }),
    })
    assert.equal(response.status, 201)
    return { traceId, spanId }
  }
  const spansIn = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
  const find = (traceId: string, name: string) => until(() => spansIn(traceId).find((span) => span.name === name))

  async function checkTrace({ traceId, spanId }: { traceId: string; spanId: string }): Promise<void> {
    const [request, deliver] = [await find(traceId, `POST ${ROUTE}`), await find(traceId, 'deliver deliveries')]
    assert.deepEqual([request.parentSpanId, request.kind, request.service], [spanId, SERVER, 'rodado'])
    assert.equal(request.attributes['http.response.status_code'], 201)
    assert.equal(deliver.parentSpanId, request.spanId)
    assert.deepEqual([deliver.attributes['rodado.status'], deliver.attributes['rodado.outcome']], [200, 'delivered'])
    const parents: [string, ReceivedSpan][] = [
      ['look up consultas', request],
      ['insert consultas', request],
      ['settle deliveries', deliver],
    ]
    for (const [name, parent] of parents) assert.equal((await find(traceId, name)).parentSpanId, parent.spanId, name)
    const received = await until(() => receiver.received.find((each) => each.headers.traceparent?.includes(traceId)))
    assert.equal(received.headers.traceparent, `00-${traceId}-${deliver.spanId}-01`)
  }

  it('one trace goes from the site’s request to the partner’s receiver, with its statements', async () => {
    const sent = await post(all, 'Directa')
    await checkTrace(sent)
  })

  it('the trace goes on where another process delivers, and includes its claim', async () => {
    const sent = await post(api, 'Encolada')
    await checkTrace(sent)
    await find(sent.traceId, 'claim deliveries')
  })

  it('inquiries that share a statement each have it in their own trace, once', async () => {
    const sent = await Promise.all(Array.from({ length: 12 }, (_, nth) => post(all, `Junta${nth}`)))
    for (const each of sent) await checkTrace(each)
    for (const { traceId } of sent)
      assert.equal(spansIn(traceId).filter(({ name }) => name === 'insert consultas').length, 1)
  })

  it('log lines of the request and of the delivery name trace and span', async () => {
    const { traceId } = await post(all, 'Anotada')
    const request = await find(traceId, `POST ${ROUTE}`)
    const deliver = await find(traceId, 'deliver deliveries')
    const lines = () => processLogs(database.connection).split('\n')
    const line = (msg: string) =>
      until(() => lines().find((each) => each.includes(traceId) && each.includes(`"msg":"${msg}"`)))
    assert.equal(JSON.parse(await line('request')).span_id, request.spanId)
    assert.equal(JSON.parse(await line('delivery attempt')).span_id, deliver.spanId)
  })

  it('spans hold nothing personal, and no values of statements', () => {
    for (const secret of ['Directa', 'correo.test', sitioKey]) assert.ok(!collector.bytes().includes(secret), secret)
  })

  it('200: every metric of the dashboard and of the alert rules is in /metrics; the outbox also of a node without worker', async () => {
    const [ofAll = '', ofApi = ''] = await Promise.all(
      ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
    )
    const rules: { groups: { rules: { expr: string }[] }[] } = parse(readFileSync(RULES, 'utf8'))
    const used = [dashboardText(), ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr))].join('\n')
    const names = new Set(used.match(/\b(rodado|nodejs|process)_[a-z0-9_]+/g))
    assert.ok(names.size > 20)
    const known = (text: string) => new Set(text.match(/(?<=^# TYPE )\w+|^\w+/gm))
    const present = known(ofAll)
    assert.deepEqual(
      [...names].filter((name) => !present.has(name) && !CONDITIONAL.test(name)),
      [],
    )
    for (const text of [ofAll, ofApi]) {
      assert.match(text, /^rodado_outbox_queued\{table="deliveries"\} \d+$/m)
      assert.match(text, /^rodado_outbox_behind_seconds\{table="mails"\} 0$/m)
      assert.match(text, /^rodado_db_statement_duration_seconds_count\{statement="insert consultas"\} \d+$/m)
      assert.match(text, /^rodado_build_info\{version="[\d.]+",node="v[\d.]+",role="(all|api)"\} 1$/m)
    }
  })
})

describe('packaging', () => {
  const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' })
  const missing = promtool('--version').error !== undefined && 'promtool not at hand: the alert rules are not tested'

  it('the Grafana dashboard is the one that scripts/grafana.ts makes', () => {
    assert.equal(readFileSync(DASHBOARD_FILE, 'utf8'), dashboardText(), 'run `npm run dashboard`')
  })

  it('the alert rules are valid, and fire when they should', { skip: missing }, () => {
    const [checked, tested] = [
      promtool('check', 'rules', RULES),
      promtool('test', 'rules', `${PROMETHEUS}rodado.rules.test.yml`),
    ]
    assert.equal(checked.status, 0, checked.stdout + checked.stderr)
    assert.equal(tested.status, 0, tested.stdout + tested.stderr)
  })

  it('every alert has a test that fires it', () => {
    const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { alert: string }[] }[] }
    const { tests } = parse(readFileSync(`${PROMETHEUS}rodado.rules.test.yml`, 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[]
    }
    const fired = tests.flatMap((each) =>
      each.alert_rule_test.flatMap(({ alertname, exp_alerts }) => (exp_alerts ? alertname : [])),
    )
    assert.deepEqual(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).toSorted(), fired.toSorted())
  })
})
