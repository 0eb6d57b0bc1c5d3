import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openSandbox } from '../../src/sandbox/agency.ts'
import { depsOf } from '../../tests/support/agencia.ts'
import { catalogueOf } from '../../tests/support/catalogue.ts'
import { compiledProgram } from '../../tests/support/compiled-program.ts'
import { freePort } from '../../tests/support/free-port.ts'
import { openReceiver, type Receiver } from '../../tests/support/receiver.ts'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'

const READ_TOOLS = [
  'search_agencias',
  'get_agencia',
  'search_consultas',
  'get_consulta',
  'search_publicaciones',
  'get_publicacion',
  'list_webhooks',
  'search_entregas',
  'explain_entrega',
  'list_eventos',
  'search_catalogo',
  'bestmatch',
]
const ACTIONS = [
  'publish_publicacion',
  'change_publicacion',
  'archive_publicacion',
  'set_consulta_estado',
  'resend_entregas',
  'send_prueba',
]

describe('rodado mcp', () => {
  let server: TestServer
  let app: TestApp
  let receiver: Receiver
  let adminMail: string
  let reader: Client
  let writer: Client
  before(async () => {
    receiver = await openReceiver()
    server = await startServer({ worker: {}, env: { ALLOW_PRIVATE_CALLBACKS: '127.0.0.1' } })
    app = await server.newApp({ modo: 'prueba' })
    const { country, catalogueDir } = server.config
    const [agencia] = await openSandbox({ ...depsOf(server), catalogue: catalogueOf(country, catalogueDir) }, app.app)
    adminMail = agencia?.adminMail ?? ''
    reader = await connect()
    writer = await connect('--escribir')
  })
  after(async () => {
    await reader?.close()
    await writer?.close()
    await server.stop()
    await receiver.close()
  })

  /** A client of a process of its own, as an assistant starts it. */
  async function connect(...args: string[]): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [compiledProgram('partner'), 'mcp', ...args],
        stderr: 'ignore',
        env: { RODADO_URL: server.url, RODADO_APP_KEY: app.app.appKey, RODADO_APP_SECRET: app.secret },
      }),
    )
    return client
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of every form
  async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> {
    const result = await client.callTool({ name, arguments: args })
    assert.ok(!result.isError, JSON.stringify(result.content))
    assert.deepEqual(JSON.parse(textOf(result)), result.structuredContent)
    return result.structuredContent
  }
  async function failureOf(client: Client, name: string, args: Record<string, unknown>): Promise<string> {
    const result = await client.callTool({ name, arguments: args })
    assert.ok(result.isError, JSON.stringify(result))
    return textOf(result)
  }
  const textOf = ({ content }: { content: unknown }) => (content as { text: string }[])[0]?.text ?? ''

  it('offers only tools that read, each with its form', async () => {
    const { tools } = await reader.listTools()
    assert.deepEqual(tools.map(({ name }) => name).sort(), [...READ_TOOLS].sort())
    for (const { inputSchema, annotations, description } of tools) {
      assert.equal(inputSchema.additionalProperties, false)
      assert.deepEqual([annotations?.readOnlyHint, annotations?.destructiveHint], [true, false])
      assert.ok((description ?? '').length > 20)
    }
    const { instructions } = { instructions: reader.getInstructions() }
    assert.match(instructions ?? '', /search_agencias/)
  })

  it('with --escribir also actions, which say so; without it they do not exist', async () => {
    const { tools } = await writer.listTools()
    assert.deepEqual(tools.map(({ name }) => name).sort(), [...READ_TOOLS, ...ACTIONS].sort())
    const actions = tools.filter(({ name }) => ACTIONS.includes(name))
    assert.ok(actions.every(({ annotations }) => annotations?.readOnlyHint === false))
    const publish = tools.find(({ name }) => name === 'publish_publicacion')
    const form = publish?.inputSchema.properties?.publicacion as { properties: object; required: string[] }
    assert.deepEqual(form.required, ['ExternalId', 'Marca', 'Modelo'])
    assert.ok('Kilometraje' in form.properties)
    const refused = reader.callTool({ name: 'archive_publicacion', arguments: { adminMail, externalId: 'x1' } })
    await refused.then(
      ({ isError }) => assert.ok(isError),
      (error) => assert.match(String(error), /archive_publicacion/),
    )
  })

  it('finds agencies, listings and inquiries; contact data only in one inquiry', async () => {
    await app.call('POST', '/v3/prueba/consultas', { body: JSON.stringify({ AdminMail: adminMail, Cantidad: 2 }) })
    const { agencias, more } = await call(reader, 'search_agencias', { text: adminMail.toUpperCase(), limit: 1 })
    assert.deepEqual([agencias[0].AdminMail, more], [adminMail, false])
    const { agencia, productos } = await call(reader, 'get_agencia', { adminMail })
    assert.ok(agencia.AdminMail === adminMail && productos)

    const { Total, publicaciones } = await call(reader, 'search_publicaciones', { adminMail })
    assert.ok(Total > 0)
    const { publicacion, estadisticas } = await call(reader, 'get_publicacion', {
      adminMail,
      externalId: publicaciones[0].ExternalId,
    })
    assert.ok(publicacion.Marca === publicaciones[0].Marca && estadisticas)

    const found = await until(async () => {
      const page = await call(reader, 'search_consultas', { adminMail, pagina: 1 })
      return page.Total === 2 && page
    })
    assert.doesNotMatch(JSON.stringify(found), /"(Email|Telefono|DocIdentidad|Comentario)"/)
    const consulta = await call(reader, 'get_consulta', { adminMail, sid: found.consultas[0].sid })
    assert.ok('Email' in consulta.Interesado && 'Comentario' in consulta.Interesado)
  })

  it('searches catalogues and matches values', async () => {
    const { entries } = await call(reader, 'search_catalogo', { catalogo: 'marcas', text: 'fiat', limit: 1 })
    assert.equal(entries[0].Nombre, 'Fiat')
    const marca = Number(entries[0].id)
    const models = await call(reader, 'search_catalogo', { catalogo: 'modelos', marca, limit: 5 })
    assert.equal(models.entries.length, 5)
    assert.ok(models.total > 5)
    const regions = await call(reader, 'search_catalogo', { catalogo: 'regiones', text: 'córdoba' })
    assert.equal(regions.entries.length, 1)
    const { results } = await call(reader, 'bestmatch', {
      kind: 'city',
      values: [
        { state: 'Bs As', city: 'Temperly' },
        { state: 'Mendoza', city: 'Villa' },
      ],
    })
    assert.match(results[0].match.name, /^Temperley/)
    assert.ok(results[1].match === null && results[1].candidates.length > 0)
  })

  it('explains a failed delivery, and sends it again', async () => {
    receiver.answer({ status: 401, body: 'bad signature' })
    const topic = 'webhook.prueba'
    await app.call('POST', `/v3/appnotificaciones/${topic}`, { body: JSON.stringify({ Callback: receiver.url }) })
    const { Id } = await call(writer, 'send_prueba', { topic })
    await receiver.waitFor(1)
    const explained = await until(async () => {
      const delivery = await call(reader, 'explain_entrega', { topic, id: Id })
      return delivery.Intentos.length > 0 && delivery
    })
    assert.match(explained.explanation, /attempts failed so far|Given up/)
    assert.match(explained.whatToDo[0], /refused the signature/)
    assert.equal(explained.webhook.Callback, receiver.url)
    const { entregas } = await call(reader, 'search_entregas', { topic, evento: explained.Evento })
    assert.equal(entregas[0].Id, Id)
    const { webhooks } = await call(reader, 'list_webhooks')
    assert.equal(webhooks.find(({ Topic }: { Topic: string }) => Topic === topic).Configurado, true)

    receiver.release()
    const before = receiver.received.length
    const counted = await call(writer, 'resend_entregas', { topic, evento: explained.Evento })
    assert.deepEqual(counted, { Cantidad: 1, Simulado: true })
    assert.equal(
      (await call(writer, 'resend_entregas', { topic, evento: explained.Evento, simular: false })).Cantidad,
      1,
    )
    await receiver.waitFor(before + 1)
    const { eventos, next } = await call(reader, 'list_eventos')
    assert.ok(eventos.length > 0 && next)
  })

  it('publishes, changes and archives a listing, and sets the state of an inquiry', async () => {
    const publicacion = { ExternalId: 'MCP-1', Marca: 'Fiat', Modelo: 'Cronos', VersionYear: 2022, Kilometraje: 38_000 }
    const published = await call(writer, 'publish_publicacion', { adminMail, publicacion })
    assert.equal(published.ExternalId, 'MCP-1')
    const changed = await call(writer, 'change_publicacion', {
      adminMail,
      externalId: 'MCP-1',
      cambios: { Kilometraje: 39_000 },
    })
    assert.deepEqual([changed.Kilometraje, changed.VersionYear], [39_000, 2022])
    assert.deepEqual(await call(writer, 'archive_publicacion', { adminMail, externalId: 'MCP-1' }), {
      archived: 'MCP-1',
    })
    const { consultas } = await call(reader, 'search_consultas', { adminMail })
    const set = await call(writer, 'set_consulta_estado', { adminMail, sid: consultas[0].sid, estado: 'contactada' })
    assert.equal(set.Estado, 'contactada')
  })

  it('errors say what is wrong and what to do', async () => {
    assert.match(await failureOf(reader, 'get_agencia', { adminMail: 'nadie@nada.test' }), /404[\s\S]*search first/)
    assert.match(await failureOf(reader, 'search_agencias', { limit: 101 }), /limit/)
    assert.match(await failureOf(reader, 'search_agencias', { txet: 'x' }), /txet/)
    const wrong = { ExternalId: 'MCP-2', Marca: 'Fia', Modelo: '' }
    assert.match(await failureOf(writer, 'publish_publicacion', { adminMail, publicacion: wrong }), /400[\s\S]*Modelo/)
    assert.match(await failureOf(writer, 'resend_entregas', { topic: 'webhook.prueba' }), /400/)
  })

  it('a marketplace that does not answer: the tool fails, and the server goes on', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    const url = `http://127.0.0.1:${await freePort()}`
    const env = { RODADO_URL: url, RODADO_APP_KEY: 'a', RODADO_APP_SECRET: 'b' }
    const args = [compiledProgram('partner'), 'mcp']
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
    for (let turn = 0; turn < 2; turn++)
      assert.match(await failureOf(client, 'list_webhooks', {}), /does not answer \(ECONNREFUSED\).*RODADO_URL/)
    await client.close()
  })
})
