import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import type { SampleLanguage } from '../../src/pages/docs/languages.ts'
import { openSandbox } from '../../src/sandbox/agency.ts'
import { depsOf, makeAgencia, newMail } from './agencia.ts'
import { catalogueOf } from './catalogue.ts'
import { insertConsulta } from './consulta.ts'
import { withPrograms } from './example-fixture.ts'
import { ASK_SIGNATURE, VECTORS } from './example-questions.ts'
import { makeShop } from './listing.ts'

/** More than a page. */
const INQUIRIES = 30

/** Runs the downloaded examples that call the API, or skips them with a reason. */
export function runCallers(language: SampleLanguage): void {
  withPrograms(`the examples in ${language} that call`, language, (at) => {
    it('firmar: 200 with a signature; 405 with a signed body, twice in the same second', async () => {
      const { printed, ok } = await at.programs.run('firmar', ['GET', '/v3/colores?q=rojo'])
      assert.ok(ok, printed)
      assert.match(printed, /\b200\b/)
      assert.match(printed, /"Nombre": ?"Rojo"/)
      const post = () => at.programs.run('firmar', ['POST', '/v3/colores', '{"Nombre":"Añil d\'eau"}'])
      for (const refused of await Promise.all([post(), post()])) {
        assert.ok(!refused.ok, 'a refusal is no success')
        assert.match(refused.printed, /405/)
        assert.doesNotMatch(refused.printed, /401/)
      }
    })

    it('firmar: 401 with the reason if the secret is wrong', async () => {
      const { printed, ok } = await at.programs.run('firmar', [], { APP_SECRET: 'otra cosa' })
      assert.ok(!ok)
      assert.match(printed, /401/)
    })

    it('rodado: its signatures are those of the vectors', {
      skip: language === 'curl' && 'it signs as it calls',
    }, async () => {
      if (language === 'curl') return
      for (const { method, target, headers, signature } of VECTORS.vectors) {
        const printed = await at.programs.evaluate('rodado', ASK_SIGNATURE[language](method, target, headers))
        assert.equal(printed, signature, target)
      }
    })

    it('con-token: 200, gets a token and uses it', async () => {
      const { printed, ok } = await at.programs.run('con-token')
      assert.ok(ok, printed)
      assert.match(printed, /"Nombre": ?"Rojo"/)
      assert.ok(!(await at.programs.run('con-token', [], { APP_SECRET: 'otra cosa' })).printed.includes('Rojo'))
    })

    it('ensayar: 201, in test mode it creates and reads an inquiry; 403 in production', async () => {
      const trial = await at.server.newApp({ modo: 'prueba' })
      const { country, catalogueDir } = at.server.config
      await openSandbox({ ...depsOf(at.server), catalogue: catalogueOf(country, catalogueDir) }, trial.app)
      const { printed } = await at.programs.run('ensayar', [], { APP_KEY: trial.app.appKey, APP_SECRET: trial.secret })
      assert.match(printed, /(llegó .+ \(\d{4}-\d\d-\d\d\)\s+){2}.+ pregunta por .+/)
      const production = await at.server.newApp()
      await makeShop(at.server, production)
      const own = { APP_KEY: production.app.appKey, APP_SECRET: production.secret }
      assert.match((await at.programs.run('ensayar', [], own)).printed, /403/)
    })

    it('traducir: 200 with the city, 400 with candidates', async () => {
      assert.match((await at.programs.run('traducir', ['Bs As', 'temperlei'])).printed, /Temperley \(Buenos Aires\)/)
      const unclear = await at.programs.run('traducir', ['Córdoba', 'Villa'])
      assert.match(unclear.printed, /quizás .+ \/v3\/ciudades\/\d+/)
    })

    it('invitar: 202 with the state of the invitation; 409 with the link for a registered agency', async () => {
      const mail = newMail(language)
      assert.match((await at.programs.run('invitar', [mail])).printed, /invitada pendiente hasta \d{4}-/)
      assert.equal((await at.server.emails(mail)).length, 1)
      const registered = await makeAgencia(depsOf(at.server), (await at.server.newApp()).app)
      const { printed } = await at.programs.run('invitar', [registered.mail])
      assert.match(printed, new RegExp(`ya registrada: .*/conectar/${at.app.app.appKey}`))
    })

    it('publicar: each row is created or refused with its reason; a second run changes nothing', async () => {
      const { mail } = await makeShop(at.server, at.app)
      const { printed } = await at.programs.run('publicar', [mail])
      assert.match(printed, /AB-1023 creada/)
      assert.match(printed, /AB-1024 creada/)
      assert.match(printed, /AB-1025 rechazada.*Color/)
      assert.match((await at.programs.run('publicar', [mail])).printed, /AB-1023 sin-cambios/)
    })

    it('consultas: reads every page once; 304 if nothing is new', async () => {
      const { mail, agencia } = await makeShop(at.server, at.app)
      const about = { agencia: { ...agencia, adminMail: mail }, fuente: at.app.app }
      for (let number = 1; number <= INQUIRIES; number++)
        await insertConsulta(at.server.store, { ...about, interesado: { Nombre: `Persona ${number}.` } })
      const { printed } = await at.programs.run('consultas', [mail])
      assert.match(printed, new RegExp(`${INQUIRIES} en 90 días`))
      for (let number = 1; number <= INQUIRIES; number++)
        assert.equal(printed.split(`Fiat Cronos Persona ${number}.`).length - 1, 1, `Persona ${number}`)
      assert.match(printed, /nada nuevo/)
    })

    it('reintentar: retries 503 after Retry-After; does not retry 401', async () => {
      let calls = 0
      const flaky = createServer((_request, response) => {
        const first = ++calls === 1
        response.writeHead(first ? 503 : 200, { 'retry-after': '1', 'content-type': 'application/json' }).end('{}')
      }).listen(0, '127.0.0.1')
      try {
        await once(flaky, 'listening')
        const RODADO_URL = `http://127.0.0.1:${(flaky.address() as AddressInfo).port}`
        assert.match(
          (await at.programs.run('reintentar', [], { RODADO_URL })).printed,
          /se reintenta en 1(\.0)? s\s+200/,
        )
        assert.equal(calls, 2)
      } finally {
        flaky.close()
      }
      const refused = await at.programs.run('reintentar', [], { APP_SECRET: 'otra cosa' })
      assert.doesNotMatch(refused.printed, /se reintenta/)
      assert.match(refused.printed, /401/)
    })
  })
}
