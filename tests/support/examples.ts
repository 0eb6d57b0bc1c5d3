import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Language } from '../../src/pages/docs/languages.ts'
import { keyOf, signatures } from '../../src/webhooks/sign.ts'
import { makeAgencia, needsOf, newMail } from './agencia.ts'
import { keepConsulta } from './consulta.ts'
import { LOOPBACK } from './deliveries.ts'
import { verifyByHand, verifyByReceiver } from './example-deliveries.ts'
import { ASK_NOTIFICATION, ASK_SIGNATURE, notificationVariables, VECTORS } from './example-questions.ts'
import { makeShop } from './listing.ts'
import { downloadPrograms, missingRuntime, type Programs } from './program.ts'
import { openReceiver } from './receiver.ts'
import { startServer, type TestApp, type TestServer } from './server.ts'

/** More than a page. */
const INQUIRIES = 30

/** Runs every example of a language as a reader downloads it, against a server, or says why it cannot. */
export function runExamples(language: Language): void {
  const missing = missingRuntime(language)
  describe(`the examples in ${language}, as they are downloaded`, { skip: missing }, () => {
    let server: TestServer
    let app: TestApp
    let programs: Programs
    before(async () => {
      server = await startServer({ worker: {}, env: LOOPBACK })
      app = await server.newApp()
      programs = await downloadPrograms(server.url, language, { APP_KEY: app.app.appKey, APP_SECRET: app.secret })
    })
    after(async () => {
      await programs?.remove()
      await server?.stop()
    })

    it('firmar: 200, a call is believed; 405, so is a body, twice in the same second', async () => {
      const { printed, ok } = await programs.run('firmar', ['GET', '/v3/colores?q=rojo'])
      assert.ok(ok, printed)
      assert.match(printed, /\b200\b/)
      assert.match(printed, /"Nombre": ?"Rojo"/)
      const post = () => programs.run('firmar', ['POST', '/v3/colores', '{"Nombre":"Añil d\'eau"}'])
      for (const refused of await Promise.all([post(), post()])) {
        assert.ok(!refused.ok, 'a refusal is no success')
        assert.match(refused.printed, /405/)
        assert.doesNotMatch(refused.printed, /401/)
      }
    })

    it('firmar: 401 says why when the secret is wrong', async () => {
      const { printed, ok } = await programs.run('firmar', [], { APP_SECRET: 'otra cosa' })
      assert.ok(!ok)
      assert.match(printed, /401/)
    })

    it('rodado: its signatures are those of the vectors', {
      skip: language === 'curl' && 'it signs as it calls',
    }, async () => {
      if (language === 'curl') return
      for (const { method, target, headers, signature } of VECTORS.vectors) {
        const printed = await programs.evaluate('rodado', ASK_SIGNATURE[language](method, target, headers))
        assert.equal(printed, signature, target)
      }
    })

    it('con-token: 200, a token is had and used', async () => {
      const { printed, ok } = await programs.run('con-token')
      assert.ok(ok, printed)
      assert.match(printed, /"Nombre": ?"Rojo"/)
      assert.ok(!(await programs.run('con-token', [], { APP_SECRET: 'otra cosa' })).printed.includes('Rojo'))
    })

    it('traducir: 200 with the city that was meant, 400 with those that may be', async () => {
      assert.match((await programs.run('traducir', ['Bs As', 'temperlei'])).printed, /Temperley \(Buenos Aires\)/)
      const unclear = await programs.run('traducir', ['Córdoba', 'Villa'])
      assert.match(unclear.printed, /¿quizás .+ \/v3\/ciudades\/\d+/)
    })

    it('invitar: 202 and the state of the invitation; 409 and where a registered one connects', async () => {
      const mail = newMail(language)
      assert.match((await programs.run('invitar', [mail])).printed, /invitada pendiente hasta \d{4}-/)
      assert.equal((await server.letters(mail)).length, 1)
      const registered = await makeAgencia(needsOf(server), (await server.newApp()).app)
      const { printed } = await programs.run('invitar', [registered.mail])
      assert.match(printed, new RegExp(`ya registrada: .*/conectar/${app.app.appKey}`))
    })

    it('suscribir, probar, verificar: what is configured arrives and is known as ours', async () => {
      const receiver = await openReceiver()
      try {
        receiver.answer(204)
        const topic = 'consulta.recibida'
        const { printed } = await programs.run('suscribir', [topic, `${receiver.url}/avisos`])
        const secret = /whsec_[\w+/=]+/.exec(printed)?.[0] ?? assert.fail(printed)
        assert.match((await programs.run('probar', [topic])).printed, /entregada 204 \d+ ms/)
        const [{ headers, body } = assert.fail()] = await receiver.waitFor(1)

        if (language === 'curl') await verifyByHand(programs, secret, headers, body)
        else await verifyByReceiver(programs, secret, headers, body)

        const again = await programs.run('suscribir', [topic, `${receiver.url}/otra`])
        assert.match(again.printed, /ahora va a .*\/otra/)
        assert.doesNotMatch(again.printed, /whsec_/)
      } finally {
        await receiver.close()
      }
    })

    it('notificacion: the second set is known as ours, by the former secret too', async () => {
      const former = 'una clave propia y anterior'
      const secret = `whsec_${Buffer.from('la clave de ahora').toString('base64')}`
      const now = String(Math.floor(Date.now() / 1000))
      const message = { id: '01JNG3Y4Z5A6B7C8D9E0F1G2H3', timestamp: now, topic: 'consulta.recibida' }
      const [, , , current = '', , previous = ''] = signatures([keyOf(secret), keyOf(former)], {
        ...message,
        body: Buffer.from('{}'),
      })
      const headers = {
        'Notification-Hook-ID': message.id,
        'Notification-Timestamp': now,
        'Notification-Topic': message.topic,
        'Notification-Signature': current,
        'Notification-Signature-Anterior': previous,
      }
      const isOurs = async (given: Record<string, string>, by: string) =>
        language === 'curl'
          ? (await programs.run('notificacion', [], notificationVariables(given, by))).ok
          : /true/i.test(await programs.evaluate('notificacion', ASK_NOTIFICATION[language](given, by)))
      for (const known of [secret, former]) assert.ok(await isOurs(headers, known), known)
      assert.ok(!(await isOurs(headers, 'una que nadie conoce')))
      assert.ok(!(await isOurs({ ...headers, 'Notification-Topic': 'consulta.suprimida' }, secret)))
      if (language !== 'curl') assert.ok(!(await isOurs({ ...headers, 'Notification-Timestamp': 'ayer' }, secret)))
    })

    it('reenviar, eventos: what was not heard is sent again, and read by cursor without a gap', async () => {
      const { mail } = await makeAgencia(needsOf(server), app.app)
      const topic = 'agencia.registrada'
      const receiver = await openReceiver()
      try {
        await programs.run('suscribir', [topic, receiver.url])
        const { printed } = await programs.run('reenviar', [topic, '2020-01-01'])
        assert.match(printed, /1 sin entregar\s+1 salen otra vez/)
        assert.equal(JSON.parse((await receiver.waitFor(1))[0]?.body ?? '').AdminMail, mail)

        const [first, second] = [await programs.run('eventos'), await programs.run('eventos')]
        assert.match(first.printed, /agencia\.registrada [0-9A-Z]{26}/)
        assert.equal(second.printed.trim(), '')
      } finally {
        await receiver.close()
      }
    })

    it('publicar: a row each is created or refused with its reason; again, nothing changes', async () => {
      const { mail } = await makeShop(server, app)
      const { printed } = await programs.run('publicar', [mail])
      assert.match(printed, /AB-1023 creada/)
      assert.match(printed, /AB-1024 creada/)
      assert.match(printed, /AB-1025 rechazada.*Color/)
      assert.match((await programs.run('publicar', [mail])).printed, /AB-1023 sin-cambios/)
    })

    it('consultas: every page is read once, and 304 says that nothing is new', async () => {
      const { mail, agencia } = await makeShop(server, app)
      const about = { agencia: { ...agencia, adminMail: mail }, fuente: app.app }
      for (let number = 1; number <= INQUIRIES; number++)
        await keepConsulta(server.store, { ...about, interesado: { Nombre: `Persona ${number}.` } })
      const { printed } = await programs.run('consultas', [mail])
      assert.match(printed, new RegExp(`${INQUIRIES} en 90 días`))
      for (let number = 1; number <= INQUIRIES; number++)
        assert.equal(printed.split(`Fiat Cronos Persona ${number}.`).length - 1, 1, `Persona ${number}`)
      assert.match(printed, /nada nuevo/)
    })

    it('reintentar: 503 is tried again when Retry-After says; 401 is not', async () => {
      let calls = 0
      const flaky = createServer((_request, response) => {
        const first = ++calls === 1
        response.writeHead(first ? 503 : 200, { 'retry-after': '1', 'content-type': 'application/json' }).end('{}')
      }).listen(0, '127.0.0.1')
      try {
        await once(flaky, 'listening')
        const RODADO_URL = `http://127.0.0.1:${(flaky.address() as AddressInfo).port}`
        assert.match((await programs.run('reintentar', [], { RODADO_URL })).printed, /otra vez en 1(\.0)? s\s+200/)
        assert.equal(calls, 2)
      } finally {
        flaky.close()
      }
      const refused = await programs.run('reintentar', [], { APP_SECRET: 'otra cosa' })
      assert.doesNotMatch(refused.printed, /otra vez/)
      assert.match(refused.printed, /401/)
    })
  })
}
