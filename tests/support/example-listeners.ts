import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { SampleLanguage } from '../../src/pages/docs/languages.ts'
import { keyOf, signatures } from '../../src/webhooks/headers.ts'
import { depsOf, makeAgencia } from './agencia.ts'
import { verifyByHand, verifyByReceiver } from './example-deliveries.ts'
import { withPrograms } from './example-fixture.ts'
import { ASK_NOTIFICATION, notificationVariables } from './example-questions.ts'
import { openReceiver } from './receiver.ts'

/** Runs the downloaded examples that receive and catch up, or skips them with a reason. */
export function runListeners(language: SampleLanguage): void {
  withPrograms(`the examples in ${language} that listen`, language, (at) => {
    it('suscribir, probar, verificar: a configured webhook arrives and verifies', async () => {
      const receiver = await openReceiver()
      try {
        receiver.answer(204)
        const topic = 'consulta.recibida'
        const { printed } = await at.programs.run('suscribir', [topic, `${receiver.url}/avisos`])
        const secret = /whsec_[\w+/=]+/.exec(printed)?.[0] ?? assert.fail(printed)
        assert.match((await at.programs.run('probar', [topic])).printed, /entregada 204 \d+ ms/)
        const [{ headers, body } = assert.fail()] = await receiver.waitFor(1)

        if (language === 'curl') await verifyByHand(at.programs, secret, headers, body)
        else await verifyByReceiver(at.programs, secret, headers, body)

        const again = await at.programs.run('suscribir', [topic, `${receiver.url}/otra`])
        assert.match(again.printed, /ahora va a .*\/otra/)
        assert.doesNotMatch(again.printed, /whsec_/)
      } finally {
        await receiver.close()
      }
    })

    it('notificacion: the second set of headers verifies, also with the previous secret', async () => {
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
          ? (await at.programs.run('notificacion', [], notificationVariables(given, by))).ok
          : /true/i.test(await at.programs.evaluate('notificacion', ASK_NOTIFICATION[language](given, by)))
      for (const known of [secret, former]) assert.ok(await isOurs(headers, known), known)
      assert.ok(!(await isOurs(headers, 'una que nadie conoce')))
      assert.ok(!(await isOurs({ ...headers, 'Notification-Topic': 'consulta.suprimida' }, secret)))
      if (language !== 'curl') assert.ok(!(await isOurs({ ...headers, 'Notification-Timestamp': 'ayer' }, secret)))
    })

    it('reenviar, eventos: missed events are resent, and read by cursor without a gap', async () => {
      const { mail } = await makeAgencia(depsOf(at.server), at.app.app)
      const topic = 'agencia.registrada'
      const receiver = await openReceiver()
      try {
        await at.programs.run('suscribir', [topic, receiver.url])
        const { printed } = await at.programs.run('reenviar', [topic, '2020-01-01'])
        assert.match(printed, /1 sin entregar\s+Reenviadas, con los mismos Id: 1/)
        assert.equal(JSON.parse((await receiver.waitFor(1))[0]?.body ?? '').AdminMail, mail)

        const [first, second] = [await at.programs.run('eventos'), await at.programs.run('eventos')]
        assert.match(first.printed, /agencia\.registrada [0-9A-Z]{26}/)
        assert.equal(second.printed.trim(), '')
      } finally {
        await receiver.close()
      }
    })
  })
}
