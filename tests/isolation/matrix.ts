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

/** Who asks for an agency that is not, or no longer, theirs. */
const SITUATIONS: Situation[] = [
  { name: 'another app', who: 'other', about: 'theirs' },
  { name: 'an app of test mode', who: 'test', about: 'theirs' },
  { name: 'an app of test mode, of another’s in test mode,', who: 'test', about: 'ofOtherTest' },
  { name: 'an app that was detached', who: 'former', about: 'left' },
  { name: 'another app, of whom the owner has invited,', who: 'other', about: 'invited' },
  { name: 'an app of test mode, of whom the owner has invited,', who: 'test', about: 'invited' },
  { name: 'a detached app, of whom the owner has invited,', who: 'former', about: 'invited' },
]

/** Of whom was invited there is nothing but the address: what names none would compare what is not there with itself. */
export const situationsOf = (route: string): Situation[] =>
  SITUATIONS.filter(({ about }) => about !== 'invited' || route.includes(':adminMail'))

/** What the app that invited gets while the invitation is pending, where it is more than a stranger does (decisions, 6). */
const PENDING = new Map([
  ['GET /v3/agencias/:adminMail', 200],
  ['PATCH /v3/agencias/:adminMail/desasociar', 204],
])

const situations: Check[] = OWNED.flatMap(([route, { foreign }]) =>
  situationsOf(route).map(({ name, who, about }) => ({
    title: `${foreign} ${route}: ${name} finds nothing`,
    async run(stage) {
      const answer = await callAbout(stage[who], route, stage[about])
      assertNothingForeign(answer, who === 'test') // first: a record that is seen counts, whatever its status
      assert.ok(foreign?.includes(answer.status) || isOwn(route, answer.status), `${answer.status} ${answer.text}`)
    },
  })),
)

/** A webhook is the asker's own: the first time it is made, later it is there. So is what is sent again. */
const isOwn = (route: string, status: number): boolean =>
  (route === 'POST /v3/appnotificaciones/:topic' && status === 409) ||
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
    async run(stage) {
      const foreign = masked(await callAbout(stage[who], route, stage[about]), stage[about])
      assert.equal(foreign, masked(await callAbout(stage[who], route, ABSENT), ABSENT))
    },
  })),
)

/** HEAD wherever there is GET, OPTIONS everywhere: what follows from a route tells no more than it does. */
const implied: Check[] = OWNED.filter(([route]) => identifiersOf(route).length > 0).flatMap(([route]) =>
  situationsOf(route).map(({ name, who, about }) => {
    const method = route.startsWith('GET ') ? 'HEAD' : 'OPTIONS'
    return {
      title: `${method} instead of ${route}: what is not there and what is another’s are one answer to ${name}`,
      async run(stage) {
        const ask = async (things: Records) => {
          const answer = await callAbout(stage[who], route, things, { method })
          assertNothingForeign(answer, who === 'test')
          // A head tells the length of a body that is not there, and in which the identifier would be.
          const { status, headers, bytes, text } = answer
          return masked({ status, headers, bytes, text: `${text}${things.mail}` }, things)
        }
        assert.equal(await ask(stage[about]), await ask(ABSENT))
      },
    }
  }),
)

/** Who has an agency, and whose thing is put among its own. */
const MIXED = [
  { name: 'another’s', who: 'other', mine: 'own', strange: 'theirs' },
  { name: 'of production, to an app of test mode, an', who: 'test', mine: 'ofTest', strange: 'theirs' },
  { name: 'in test mode another’s', who: 'test', mine: 'ofTest', strange: 'ofOtherTest' },
] as const

/** One identifier of another’s among one’s own: another’s thing at one’s own agency, one’s own thing at another’s. */
const inPaths: Check[] = OWNED.flatMap(([route, { foreign }]) => {
  const identifiers = identifiersOf(route)
  if (identifiers.length < 2) return []
  return identifiers.flatMap((thing) =>
    MIXED.map(({ name, who, mine, strange }) => {
      // Another's agency is answered as ever; a thing that is not of one's own agency is not there (spec, Errors).
      const expected = thing === 'mail' ? foreign?.[0] : 404
      return {
        title: `${expected} ${route}: ${name} ${thing}, with all else one’s own`,
        async run(stage) {
          const mixed = { ...stage[mine], [thing]: stage[strange][thing] }
          const absent = { ...stage[mine], [thing]: ABSENT[thing] }
          const answer = await callAbout(stage[who], route, mixed)
          assertNothingForeign(answer, who === 'test')
          assert.equal(answer.status, expected, answer.text)
          assert.equal(masked(answer, mixed), masked(await callAbout(stage[who], route, absent), absent))
        },
      }
    }),
  )
})

const inQueriesAndBodies: Check[] = POSITIONS.map(({ route, name, thing, more, body, differs, names }) => ({
  title: differs
    ? `${route}: another’s ${thing} in ${name} is not hidden, because ${differs}`
    : `${route}: another’s ${thing} in ${name} is as good as none`,
  async run(stage) {
    const { owner, other, test, sitio, own, ofTest, ofOtherTest, theirs } = stage
    const isSite = route.includes('/interno/')
    const who = isSite ? sitio : route.includes('/prueba/') ? test : other
    const mine = isSite ? theirs : who === test ? ofTest : own // to a site all of its mode is its own
    const questionOf = (value: string) =>
      body
        ? { body: JSON.parse(JSON.stringify(body(value)).replaceAll('«own»', mine.mail)) }
        : { query: `${name}=${encodeURIComponent(value)}${more ? `&${more}` : ''}` }
    const ask = async (things: Records) => {
      const value = String(things[thing])
      const mixed = { ...mine, [thing]: value }
      // A path names one's own, whatever the query or the body names.
      const answer = await callAbout(who, route, mine, questionOf(value))
      if (isSite) assert.ok(!answer.text.includes(MARK_OF_TEST), 'tells of what is not its own')
      else assertNothingForeign(answer, who === test)
      return masked(answer, mixed, mine)
    }
    // A cursor is a place in time: what is not there is an id of the same moment.
    const nobodys = (strange: Records) =>
      name === 'cursor' ? { ...ABSENT, event: besides(strange.event) } : body ? ABSENT_SO_FAR : ABSENT
    for (const strange of isSite ? [ofTest] : who === test ? [theirs, ofOtherTest] : [theirs]) {
      const [foreign, absent] = [await ask(strange), await ask(nobodys(strange))]
      if (differs) assert.notEqual(foreign, absent)
      else assert.equal(foreign, absent)
    }
    const absent = await ask(nobodys(isSite ? ofTest : theirs))
    if (who === other && route.startsWith('GET')) {
      const { text } = await callAbout(owner, route, theirs, questionOf(String(theirs[thing])))
      assert.ok(text.includes(MARK), 'whose it is does not see the mark either: this shows nothing')
    }
    if (names === 'nothing') assert.equal(await ask(mine), absent)
    else assert.notEqual(await ask(mine), absent, 'one’s own is answered as what is not there: this shows nothing')
  },
}))

/** The id next to that one. */
const besides = (id: string): string => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`

const ofSites: Check[] = [...EXPECTED]
  .filter(([route, { sitio }]) => sitio && identifiersOf(route).length > 0)
  .map(([route, { sitio }]) => ({
    title: `${route}: what is not there and what is of test mode are one answer to a site of production`,
    async run(stage) {
      const ask = async (things: Records) => {
        const { body } = sitio?.({ aviso: Number(things.aviso), adminMail: things.mail }) ?? {}
        return masked(await callAbout(stage.sitio, route, things, body ? { body } : {}), things)
      }
      assert.equal(await ask(stage.ofTest), await ask(ABSENT))
    },
  }))

/** After all that others tried on it. */
const stillPending: Check = {
  title:
    '200 GET /v3/agencias/:adminMail: an invitation that others asked for, changed and ended is as pending as it was',
  async run({ owner, invited }) {
    const { status, json } = await owner.get(`/v3/agencias/${invited.mail}`)
    assert.deepEqual([status, json.Estado, json.Invitacion.Estado], [200, 'invitada', 'pendiente'])
  },
}

/** What all of it was compared with is as absent as it was: of what has come to be, alike would show nothing. */
const stillAbsent: Check = {
  title: '404 GET /v3/agencias/:adminMail: what all else was compared with is not there to anybody',
  async run(stage) {
    for (const who of ['owner', 'other', 'former', 'test', 'otherTest'] as const)
      assert.equal((await stage[who].get(`/v3/agencias/${ABSENT.mail}`)).status, 404, who)
  },
}

/** The whole matrix of the APIs, beside what routes.test.ts and sitio.test.ts promise of credentials. */
export const CHECKS: Check[] = [
  ...[...CONTROLS, ...situations, ...pending, ...wholly, ...implied, ...inPaths, ...inQueriesAndBodies],
  ...ofSites,
  stillPending,
  stillAbsent,
]
