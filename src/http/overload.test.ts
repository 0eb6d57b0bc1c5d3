import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startServer, type TestApp, type TestServer } from '../../tests/support/server.ts'
import { until } from '../../tests/support/until.ts'

const MOST_AT_ONCE = 600
const SHARE = 150

describe('overload: more requests at once than can be served', () => {
  let server: TestServer
  let flooding: TestApp
  let others: TestApp[]
  let release = () => {}
  let hanging = 0
  before(async () => {
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    server = await startServer({
      routes: (v3) =>
        v3.get('/lenta', { schema: { hide: true } }, async () => {
          hanging++
          await released
          return {}
        }),
    })
    flooding = await server.newApp()
    others = await Promise.all(Array.from({ length: 2 }, () => server.newApp()))
  })
  after(() => server.stop())

  it('429: whoever floods is held to a share, 503: beyond all places; others are served, and then everybody', async () => {
    let turnedAway = 0
    const flood = Array.from({ length: MOST_AT_ONCE }, async () => {
      const answer = await flooding.get('/v3/lenta')
      if (answer.status === 429) turnedAway++
      return answer
    })
    await until(() => hanging === MOST_AT_ONCE / 2 + SHARE && turnedAway === SHARE)
    const refused = await flooding.get('/v3/agencias')
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '1'])
    assert.match(refused.json.Detail, /en curso a la vez/)
    for (const app of others) assert.equal((await app.get('/v3/agencias')).status, 200)

    const [first, second] = others
    const more = Array.from({ length: SHARE }, () => first?.get('/v3/lenta'))
    await until(() => hanging === MOST_AT_ONCE)
    const full = await second?.get('/v3/agencias')
    assert.deepEqual([full?.status, full?.headers['retry-after']], [503, '5'])
    assert.equal(full?.headers['content-type'], 'application/problem+json')

    release()
    const statuses = (await Promise.all([...flood, ...more])).map((answer) => answer?.status)
    const count = (status: number) => statuses.filter((each) => each === status).length
    assert.deepEqual([count(200), count(429), statuses.length], [MOST_AT_ONCE, SHARE, MOST_AT_ONCE + SHARE])
    await until(async () => (await flooding.get('/v3/agencias')).status === 200)
  })
})
