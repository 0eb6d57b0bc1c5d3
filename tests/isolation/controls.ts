import assert from 'node:assert/strict'
import type { Answer } from '../support/caller.ts'
import { type Check, OWNED } from './check.ts'
import { EXPECTED } from './expectations.ts'
import { callAbout, createRecordsAndEvents, MARK, MARK_OF_OTHER_TEST, MARK_OF_TEST } from './fixture.ts'

const because = (why: string, routes: string[]): [string, string][] => routes.map((route) => [route, why])

/** Routes whose response contains nothing of an agency: only the status is compared. */
const WITHOUT_TEXT = new Map([
  ...because('has no body', [
    'POST /v3/agencias',
    'PATCH /v3/agencias/:adminMail/desasociar',
    'DELETE /v3/appnotificaciones/:topic',
    'DELETE /v3/appnotificaciones/:topic/destinos/:id',
    'DELETE /v3/publicaciones/:adminMail/:externalid',
    'DELETE /v3/sucursales/:adminMail/:id',
  ]),
  ...because('says what it was sent', [
    'POST /v3/appnotificaciones/:topic',
    'PUT /v3/appnotificaciones/:topic',
    'POST /v3/appnotificaciones/:topic/destinos',
    'PUT /v3/appnotificaciones/:topic/destinos/:id',
    'POST /v3/publicaciones/:adminMail',
    'POST /v3/publicaciones/:adminMail/lote',
    'PUT /v3/publicaciones/:adminMail/:externalid',
    'POST /v3/sucursales/:adminMail',
    'PUT /v3/sucursales/:adminMail/:id',
    'POST /interno/v1/consultas',
    'PUT /interno/v1/agencias/:adminMail/paquete',
  ]),
  ...because('counts', [
    'POST /v3/appnotificaciones/:topic/prueba',
    'POST /v3/appnotificaciones/:topic/entregas/reenviar',
    'GET /v3/publicaciones/:adminMail/:externalid/estadisticas',
    'POST /interno/v1/visitas',
  ]),
  ...because('has addresses of photos only', ['GET /interno/v1/avisos/:id/fotos']),
])

/** Checks that a response contains no mark of another tenant. */
export function assertNothingForeign({ text }: Answer, toTest: boolean): void {
  const strange = [MARK, MARK_OF_OTHER_TEST, ...(toTest ? [] : [MARK_OF_TEST])]
  assert.ok(!strange.some((mark) => text.includes(mark)), 'contains a foreign record')
}

/** They name no agency, but belong to the caller. */
const OWN_WEBHOOKS = /appnotificaciones(\/:topic(\/destinos(\/:id)?)?)?$/

const ofApps: Check[] = OWNED.map(([route, { own }]) => ({
  title: WITHOUT_TEXT.has(route)
    ? `${own} ${route}: nothing of an agency can be read there, because it ${WITHOUT_TEXT.get(route)}`
    : `${own} ${route}: the owner sees the mark that nobody else may see`,
  async run({ server, owner, theirs, sawBefore }) {
    // A route that changes data gets its own agency.
    const records = route.startsWith('GET') ? theirs : await createRecordsAndEvents(server, owner, MARK)
    const { status, text } = await callAbout(owner, route, records)
    assert.equal(status, own, text)
    assert.equal(text.includes(MARK), !WITHOUT_TEXT.has(route), text)
    if (route.startsWith('GET') && !OWN_WEBHOOKS.test(route))
      assert.equal(sawBefore.has(route), !WITHOUT_TEXT.has(route), 'so did the detached app, while it was none')
  },
}))

const ofSites: Check[] = [...EXPECTED].flatMap(([route, { sitio, own, foreign }]): Check[] => {
  if (!sitio) return []
  const seen = WITHOUT_TEXT.has(route) ? `reads none there, because it ${WITHOUT_TEXT.get(route)}` : 'sees its mark'
  return [
    {
      title: `${own} ${route}: a site of production sees nothing of test mode; one of test mode ${seen}`,
      async run({ server, test, testSitio, sitio: ofProduction }) {
        const records = await createRecordsAndEvents(server, test, MARK_OF_TEST)
        const { body } = sitio({ aviso: Number(records.aviso), adminMail: records.mail })
        const ask = (who: typeof testSitio) => callAbout(who, route, records, body ? { body } : {})
        const refused = await ask(ofProduction)
        assert.ok(!refused.text.includes(MARK_OF_TEST), 'contains a foreign record')
        assert.ok(foreign?.includes(refused.status), `${refused.status} ${refused.text}`)
        const { status, text } = await ask(testSitio)
        assert.equal(status, own, text)
        assert.ok(!text.includes(MARK), 'contains a foreign record')
        assert.equal(text.includes(MARK_OF_TEST), !WITHOUT_TEXT.has(route), text)
      },
    },
  ]
})

/** The owner sees the marks: otherwise their absence elsewhere would prove nothing. */
export const CONTROLS: Check[] = [...ofApps, ...ofSites]
