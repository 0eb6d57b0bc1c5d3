import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { openReceiver, type Receiver } from '../../../tests/support/receiver.ts'
import { CASES } from './cases.ts'
import { createProbe } from './probe.ts'

describe('the cases of certify', async () => {
  const receiver: Receiver = await openReceiver()
  after(() => receiver.close())
  const probe = createProbe({ receiver: receiver.url, secret: 'un secreto de al menos dieciseis' })

  /** What a case sent, and what it made of the answers. */
  async function play(name: RegExp) {
    const from = receiver.received.length
    const found = CASES.filter((each) => name.test(each.name))
    assert.equal(found.length, 1, String(name))
    const statuses = (await found[0]?.run(probe))?.map(({ status }) => status)
    return { statuses, sent: receiver.received.slice(from) }
  }

  it('a retry has the id and the bytes of the first attempt, and a time and signatures of its own', async () => {
    const { sent } = await play(/same id, later time/)
    const [first, second] = sent
    assert.equal(second?.id, first?.id)
    assert.equal(second?.body, first?.body)
    assert.notEqual(second?.headers['webhook-timestamp'], first?.headers['webhook-timestamp'])
    assert.notEqual(second?.headers['webhook-signature'], first?.headers['webhook-signature'])
    assert.deepEqual([first?.headers['webhook-attempt'], second?.headers['webhook-attempt']], ['1', '2'])
  })

  it('duplicates are the same bytes under the same id', async () => {
    const { sent } = await play(/five times at once/)
    assert.equal(sent.length, 5)
    assert.equal(new Set(sent.map(({ id, body }) => `${id} ${body}`)).size, 1)
  })

  it('what comes out of order tells of one inquiry, each in an event of its own', async () => {
    const { sent } = await play(/erased, then changed, then received/)
    const events = sent.map(({ body }) => JSON.parse(body))
    assert.deepEqual(
      events.map(({ Topic }) => Topic),
      ['consulta.suprimida', 'consulta.modificada', 'consulta.recibida'],
    )
    const [erased, ...others] = events.map(({ Consulta }) => Consulta)
    assert.deepEqual(new Set(others.map(({ _links }) => _links.self.href)), new Set([erased.href]))
    assert.equal(new Set(events.map(({ Id }) => Id)).size, 3)
  })

  it('one that takes long is hung up on and sent it again; only the second answer counts', async () => {
    receiver.answer((_delivery, turn) => (turn === 1 ? 'hang' : 409))
    const { statuses, sent } = await play(/still at work/)
    assert.deepEqual(statuses, [409])
    assert.deepEqual([sent.length, sent[0]?.id, sent[0]?.body], [2, sent[1]?.id, sent[1]?.body])
    receiver.release()
  })

  it('in a burst, a delivery whose response has Retry-After is repeated once', async () => {
    const busy = (retryAfter?: string) => ({
      status: 429,
      ...(retryAfter && { headers: { 'retry-after': retryAfter } }),
    })
    receiver.answer((_delivery, turn) => (turn === 1 ? busy('0') : 204))
    assert.deepEqual(new Set((await play(/at the same time/)).statuses), new Set([204]))
    receiver.answer(busy('0'))
    const stubborn = await play(/at the same time/)
    assert.deepEqual([stubborn.sent.length, ...new Set(stubborn.statuses)], [40, 429])
    receiver.answer(busy())
    assert.equal((await play(/at the same time/)).sent.length, 20)
    receiver.answer(busy('3600'))
    assert.equal((await play(/at the same time/)).sent.length, 20)
    receiver.release()
  })
})
