import assert from 'node:assert/strict'
import type { Answer } from '../support/caller.ts'
import { EXPECTED } from './expectations.ts'
import { POSITIONS } from './positions.ts'
import { askAbout, MARK, MARK_OF_TEST, type MatrixStage, masked, thingOf } from './stage.ts'
import { ABSENT, type Things } from './things.ts'

/** One cell of the matrix: a promise, and what shows it. */
export interface Check {
  title: string
  run(stage: MatrixStage): Promise<void>
}

interface Situation {
  name: string
  who: 'other' | 'test' | 'former'
  about: 'theirs' | 'left' | 'invited'
}

/** Who asks for an agency that is not, or no longer, theirs. */
export const SITUATIONS: Situation[] = [
  { name: 'another app', who: 'other', about: 'theirs' },
  { name: 'an app of test mode', who: 'test', about: 'theirs' },
  { name: 'an app that was detached', who: 'former', about: 'left' },
  { name: 'another app, of whom the owner has invited,', who: 'other', about: 'invited' },
  { name: 'an app of test mode, of whom the owner has invited,', who: 'test', about: 'invited' },
  { name: 'a detached app, of whom the owner has invited,', who: 'former', about: 'invited' },
]

/** What the app that invited gets while the invitation is pending, where it is more than a stranger does (decisions, 6). */
const PENDING = new Map([
  ['GET /v3/agencias/:adminMail', 200],
  ['PATCH /v3/agencias/:adminMail/desasociar', 204],
])

/** What stands in everything of others is not in an answer. */
function tellsNothing({ text }: Answer, toTest: boolean): void {
  const strange = toTest ? MARK : MARK_OF_TEST
  assert.ok(!text.includes(MARK) && !text.includes(strange), 'tells of what is not its own')
}

const owned = [...EXPECTED].filter(([, { foreign, sitio }]) => foreign && !sitio)
const identifiersOf = (url: string): (keyof Things)[] =>
  [...url.matchAll(/:(\w+)/g)].flatMap(([, name = '']) => thingOf(url, name) ?? [])

const situations: Check[] = owned.flatMap(([route, { foreign }]) =>
  SITUATIONS.filter(({ about }) => about !== 'invited' || route.includes(':adminMail')).map(({ name, who, about }) => ({
    title: `${foreign} ${route}: ${name} finds nothing`,
    async run(stage) {
      const answer = await askAbout(stage[who], route, stage[about])
      tellsNothing(answer, who === 'test') // first: a record that is seen counts, whatever its status
      assert.ok(foreign?.includes(answer.status) || isOwn(route, answer.status), `${answer.status} ${answer.text}`)
    },
  })),
)

/** A webhook is the asker's own: the first time it is made, later it is there. So is what is sent again without a filter. */
const isOwn = (route: string, status: number): boolean =>
  (route === 'POST /v3/appnotificaciones/:topic' && status === 409) ||
  (route === 'POST /v3/appnotificaciones/:topic/entregas/reenviar' && status === 202)

const pending: Check[] = owned
  .filter(([route]) => route.includes(':adminMail'))
  .map(([route, { foreign }]) => {
    const expected = PENDING.get(route) ?? foreign?.[0]
    return {
      title: `${expected} ${route}: the app that invited, while the invitation is pending`,
      async run({ owner }) {
        const mail = `pendiente${route.length}${route.replace(/\W/g, '').toLowerCase().slice(0, 12)}@agencia.test`
        await owner.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: mail }) })
        const answer = await askAbout(owner, route, { ...ABSENT, mail })
        assert.equal(answer.status, expected, answer.text)
      },
    }
  })

const wholly: Check[] = owned
  .filter(([route]) => identifiersOf(route).length > 0)
  .flatMap(([route]) =>
    SITUATIONS.map(({ name, who, about }) => ({
      title: `${route}: what is not there and what is another’s are one answer to ${name}`,
      async run(stage) {
        const foreign = masked(await askAbout(stage[who], route, stage[about]), stage[about])
        assert.equal(foreign, masked(await askAbout(stage[who], route, ABSENT), ABSENT))
      },
    })),
  )

/** One identifier of another’s among one’s own: another’s thing at one’s own agency, one’s own thing at another’s. */
const inPaths: Check[] = owned.flatMap(([route]) => {
  const identifiers = identifiersOf(route)
  if (identifiers.length < 2) return []
  return identifiers.map((thing) => ({
    title: `${route}: another’s ${thing}, with all else one’s own, is not there`,
    async run({ other, own, theirs }) {
      const mixed = { ...own, [thing]: theirs[thing] }
      const absent = { ...own, [thing]: ABSENT[thing] }
      const foreign = await askAbout(other, route, mixed)
      tellsNothing(foreign, false)
      assert.ok(foreign.status >= 400, `${foreign.status} ${foreign.text}`)
      assert.equal(masked(foreign, mixed), masked(await askAbout(other, route, absent), absent))
    },
  }))
})

const inQueriesAndBodies: Check[] = POSITIONS.map(({ route, name, thing, body, differs, names }) => ({
  title: differs
    ? `${route}: another’s ${thing} in ${name} is not hidden, because ${differs}`
    : `${route}: another’s ${thing} in ${name} is as good as none`,
  async run(stage) {
    const { other, test, sitio, own, ofTest, theirs } = stage
    const isSite = route.includes('/interno/')
    const who = isSite ? sitio : route.includes('/prueba/') ? test : other
    const mine = isSite ? theirs : who === test ? ofTest : own // to a site all of its mode is its own
    const strange = isSite ? ofTest : theirs
    const ask = async (things: Things) => {
      const value = String(things[thing])
      const question = body
        ? { body: JSON.parse(JSON.stringify(body(value)).replaceAll('«own»', mine.mail)) }
        : { query: `${name}=${encodeURIComponent(value)}` }
      const mixed = { ...mine, [thing]: value }
      // A path names one's own, whatever the query or the body names.
      const answer = await askAbout(who, route, mine, question)
      if (!isSite) tellsNothing(answer, who === test)
      return masked(answer, mixed, mine)
    }
    // A cursor is a place in time: what is not there is an id of the same moment.
    const nobodys = name === 'cursor' ? { ...ABSENT, event: besides(strange.event) } : ABSENT
    const [foreign, absent] = [await ask(strange), await ask(nobodys)]
    if (differs) assert.notEqual(foreign, absent)
    else assert.equal(foreign, absent)
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
      const ask = async (things: Things) => {
        const { body } = sitio?.({ aviso: Number(things.aviso), adminMail: things.mail }) ?? {}
        return masked(await askAbout(stage.sitio, route, things, body ? { body } : {}), things)
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

/** The whole matrix of the APIs, beside what routes.test.ts and sitio.test.ts promise of credentials. */
export const CHECKS: Check[] = [
  ...[...situations, ...pending, ...wholly, ...inPaths, ...inQueriesAndBodies, ...ofSites],
  stillPending,
]
