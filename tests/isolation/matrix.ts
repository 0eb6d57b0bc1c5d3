import assert from 'node:assert/strict'
import { type Check, identifiersOf, OWNED } from './check.ts'
import { assertNothingForeign, CONTROLS } from './controls.ts'
import { EXPECTED } from './expectations.ts'
import { callAbout, MARK, MARK_OF_TEST, masked } from './fixture.ts'
import { POSITIONS } from './positions.ts'
import { ABSENT, ABSENT_SO_FAR, type Records } from './records.ts'

interface Situation {
  name: string
  who: 'other' | 'test' | 'former'
  about: 'theirs' | 'left' | 'invited' | 'ofOtherTest'
}

/** Callers that name an agency that is not, or no longer, theirs. */
const SITUATIONS: Situation[] = [
  { name: 'another app', who: 'other', about: 'theirs' },
  { name: 'an app of test mode', who: 'test', about: 'theirs' },
  { name: 'an app of test mode, of another’s in test mode,', who: 'test', about: 'ofOtherTest' },
  { name: 'an app that was detached', who: 'former', about: 'left' },
  { name: 'another app, of whom the owner has invited,', who: 'other', about: 'invited' },
  { name: 'an app of test mode, of whom the owner has invited,', who: 'test', about: 'invited' },
  { name: 'a detached app, of whom the owner has invited,', who: 'former', about: 'invited' },
]

/** An invited agency has only an address: routes that do not name it would compare an absent record with itself. */
export const situationsOf = (route: string): Situation[] =>
  SITUATIONS.filter(({ about }) => about !== 'invited' || route.includes(':adminMail'))

/** What the inviting app gets while the invitation is pending, if it is more than others get (docs/decisions/agencies.md). */
const PENDING = new Map([
  ['GET /v3/agencias/:adminMail', 200],
  ['PATCH /v3/agencias/:adminMail/desasociar', 204],
])

const situations: Check[] = OWNED.flatMap(([route, { foreign }]) =>
  situationsOf(route).map(({ name, who, about }) => ({
    title: `${foreign} ${route}: ${name} finds nothing`,
    async run(fixture) {
      const answer = await callAbout(fixture[who], route, fixture[about])
      assertNothingForeign(answer, who === 'test') // first: a visible record is a fault at any status
      assert.ok(foreign?.includes(answer.status) || isOwn(route, answer.status), `${answer.status} ${answer.text}`)
    },
  })),
)

/** A webhook belongs to the caller: it is created at first and exists later. */
const isOwn = (route: string, status: number): boolean =>
  (route === 'POST /v3/appnotificaciones/:topic' && status === 409) ||
  (route === 'POST /v3/appnotificaciones/:topic/destinos' && status === 400) || // a topic has five at most
  (route === 'POST /v3/appnotificaciones/:topic/entregas/reenviar' && status === 202)

const pending: Check[] = OWNED.filter(([route]) => route.includes(':adminMail')).map(([route, { foreign }]) => {
  const expected = PENDING.get(route) ?? foreign?.[0]
  return {
    title: `${expected} ${route}: the app that invited, while the invitation is pending`,
    async run({ owner }) {
      const mail = `pendiente${route.length}${route.replace(/\W/g, '').toLowerCase().slice(0, 12)}@agencia.test`
      await owner.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: mail }) })
      const answer = await callAbout(owner, route, { ...ABSENT, mail })
      assert.equal(answer.status, expected, answer.text)
    },
  }
})

const wholly: Check[] = OWNED.filter(([route]) => identifiersOf(route).length > 0).flatMap(([route]) =>
  situationsOf(route).map(({ name, who, about }) => ({
    title: `${route}: what is not there and what is another’s are one answer to ${name}`,
    async run(fixture) {
      const foreign = masked(await callAbout(fixture[who], route, fixture[about]), fixture[about])
      assert.equal(foreign, masked(await callAbout(fixture[who], route, ABSENT), ABSENT))
    },
  })),
)

/** HEAD and OPTIONS reveal no more than the route itself. */
const implied: Check[] = OWNED.filter(([route]) => identifiersOf(route).length > 0).flatMap(([route]) =>
  situationsOf(route).map(({ name, who, about }) => {
    const method = route.startsWith('GET ') ? 'HEAD' : 'OPTIONS'
    return {
      title: `${method} instead of ${route}: what is not there and what is another’s are one answer to ${name}`,
      async run(fixture) {
        const ask = async (records: Records) => {
          const answer = await callAbout(fixture[who], route, records, { method })
          assertNothingForeign(answer, who === 'test')
          // HEAD gives the length of a body that is not sent, and that would contain the identifier.
          const { status, headers, bytes, text } = answer
          return masked({ status, headers, bytes, text: `${text}${records.mail}` }, records)
        }
        assert.equal(await ask(fixture[about]), await ask(ABSENT))
      },
    }
  }),
)

/** Who has an agency, and whose record is mixed into its own. */
const MIXED = [
  { name: 'another’s', who: 'other', mine: 'own', strange: 'theirs' },
  { name: 'of production, to an app of test mode, an', who: 'test', mine: 'ofTest', strange: 'theirs' },
  { name: 'in test mode another’s', who: 'test', mine: 'ofTest', strange: 'ofOtherTest' },
] as const

/** One foreign identifier among own ones: a foreign record at the own agency, or an own record at a foreign agency. */
const inPaths: Check[] = OWNED.flatMap(([route, { foreign }]) => {
  const identifiers = identifiersOf(route)
  if (identifiers.length < 2) return []
  return identifiers.flatMap((record) =>
    MIXED.map(({ name, who, mine, strange }) => {
      // A foreign agency gets its usual answer; a record of another agency does not exist (spec, Errors).
      const expected = record === 'mail' ? foreign?.[0] : 404
      return {
        title: `${expected} ${route}: ${name} ${record}, with all else one’s own`,
        async run(fixture) {
          const mixed = { ...fixture[mine], [record]: fixture[strange][record] }
          const absent = { ...fixture[mine], [record]: ABSENT[record] }
          const answer = await callAbout(fixture[who], route, mixed)
          assertNothingForeign(answer, who === 'test')
          assert.equal(answer.status, expected, answer.text)
          assert.equal(masked(answer, mixed), masked(await callAbout(fixture[who], route, absent), absent))
        },
      }
    }),
  )
})

const inQueriesAndBodies: Check[] = POSITIONS.map(({ route, name, record, more, body, differs, names }) => ({
  title: differs
    ? `${route}: another’s ${record} in ${name} is not hidden, because ${differs}`
    : `${route}: another’s ${record} in ${name} is as good as none`,
  async run(fixture) {
    const { owner, other, test, sitio, own, ofTest, ofOtherTest, theirs } = fixture
    const isSite = route.includes('/interno/')
    const who = isSite ? sitio : route.includes('/prueba/') ? test : other
    const mine = isSite ? theirs : who === test ? ofTest : own // a site owns everything of its mode
    const questionOf = (value: string) =>
      body
        ? { body: JSON.parse(JSON.stringify(body(value)).replaceAll('«own»', mine.mail)) }
        : { query: `${name}=${encodeURIComponent(value)}${more ? `&${more}` : ''}` }
    const ask = async (records: Records) => {
      const value = String(records[record])
      const mixed = { ...mine, [record]: value }
      // The path names an own record, whatever the query or the body names.
      const answer = await callAbout(who, route, mine, questionOf(value))
      if (isSite) assert.ok(!answer.text.includes(MARK_OF_TEST), 'contains a foreign record')
      else assertNothingForeign(answer, who === test)
      return masked(answer, mixed, mine)
    }
    // A cursor is a point in time: an absent one is an id of the same moment.
    const absentFor = (strange: Records) =>
      name === 'cursor' ? { ...ABSENT, event: besides(strange.event) } : body ? ABSENT_SO_FAR : ABSENT
    for (const strange of isSite ? [ofTest] : who === test ? [theirs, ofOtherTest] : [theirs]) {
      const [foreign, absent] = [await ask(strange), await ask(absentFor(strange))]
      if (differs) assert.notEqual(foreign, absent)
      else assert.equal(foreign, absent)
    }
    const absent = await ask(absentFor(isSite ? ofTest : theirs))
    if (who === other && route.startsWith('GET')) {
      const { text } = await callAbout(owner, route, theirs, questionOf(String(theirs[record])))
      assert.ok(text.includes(MARK), 'whose it is does not see the mark either: this shows nothing')
    }
    if (names === 'nothing') assert.equal(await ask(mine), absent)
    else assert.notEqual(await ask(mine), absent, 'one’s own is answered as what is not there: this shows nothing')
  },
}))

/** The adjacent id. */
const besides = (id: string): string => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`

const ofSites: Check[] = [...EXPECTED]
  .filter(([route, { sitio }]) => sitio && identifiersOf(route).length > 0)
  .map(([route, { sitio }]) => ({
    title: `${route}: what is not there and what is of test mode are one answer to a site of production`,
    async run(fixture) {
      const ask = async (records: Records) => {
        const { body } = sitio?.({ aviso: Number(records.aviso), adminMail: records.mail }) ?? {}
        return masked(await callAbout(fixture.sitio, route, records, body ? { body } : {}), records)
      }
      assert.equal(await ask(fixture.ofTest), await ask(ABSENT))
    },
  }))

/** Runs after the attempts of all others. */
const stillPending: Check = {
  title:
    '200 GET /v3/agencias/:adminMail: an invitation is still pending after others tried to read, change and end it',
  async run({ owner, invited }) {
    const { status, json } = await owner.get(`/v3/agencias/${invited.mail}`)
    assert.deepEqual([status, json.Estado, json.Invitacion.Estado], [200, 'invitada', 'pendiente'])
  },
}

/** The absent records still do not exist: otherwise the comparisons would prove nothing. */
const stillAbsent: Check = {
  title: '404 GET /v3/agencias/:adminMail: what all else was compared with is not there to anybody',
  async run(fixture) {
    for (const who of ['owner', 'other', 'former', 'test', 'otherTest'] as const)
      assert.equal((await fixture[who].get(`/v3/agencias/${ABSENT.mail}`)).status, 404, who)
  },
}

/** The whole matrix of the APIs. routes.test.ts and sitio.test.ts cover credentials. */
export const CHECKS: Check[] = [
  ...CONTROLS,
  ...situations,
  ...pending,
  ...wholly,
  ...implied,
  ...inPaths,
  ...inQueriesAndBodies,
  ...ofSites,
  stillPending,
  stillAbsent,
]
