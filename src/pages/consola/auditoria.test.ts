import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import sql from 'sql-template-tag'
import { assertAccessible } from '../../../tests/support/axe.ts'
import { makeDeveloper } from '../../../tests/support/developer.ts'
import { download, search, withPages } from '../../../tests/support/pages.ts'
import { type MadeStaff, makeStaff } from '../../../tests/support/staff.ts'
import { visitor } from '../../../tests/support/visitor.ts'
import { audit, listAudit } from '../../accounts/audit.ts'
import { formatAct, pageOf } from './auditoria.tsx'

/** How the sources write an act to the audit log; the history of an inquiry has acts of its own. */
const NOTED = /(?:audit\(|(?<!recordHistory\(.*)act: |const act = )'([a-z.-]+)'/g
const SID = '01JNG3Y4Z5A6B7C8D9E0F1G2H3'

describe('/consola/auditoria', () => {
  const { server, onPage } = withPages()
  let staff: MadeStaff
  let other: MadeStaff
  before(async () => {
    ;[staff, other] = [await makeStaff(server), await makeStaff(server, { nombre: 'Eva', apellido: 'Luz' })]
    const by = { accountId: other.account.id, via: 'consola' } as const
    await audit(server.store, { ...by, act: 'consulta.leer', subject: SID, detail: { agencia: 7 } })
    await audit(server.store, { ...by, act: 'personal.invitar', subject: `cuenta ${staff.account.id}` })
    await audit(server.store, { accountId: null, via: 'comando', act: 'suprimir', subject: SID })
    await audit(server.store, { accountId: null, via: 'portal', act: 'algo.nuevo', subject: 'x' })
    await server.store.query(sql`
      insert into audit_log (at, account_id, via, act, subject) overriding system value
      values ('2025-03-04T12:00:00Z', ${other.account.id}, 'agencia', 'consultas.listar', 'agencia 7')`)
  })

  const get = async (query: string) => (await staff.visitor.get(`/consola/auditoria?${query}`)).text
  const rows = (text: string) => (text.match(/<tr>/g)?.length ?? 1) - 1

  it('404, 303: it is there for the staff alone', async () => {
    const developer = await makeDeveloper(server, await server.newApp())
    assert.equal((await developer.visitor.get('/consola/auditoria')).status, 404)
    assert.equal((await visitor(server).get('/consola/auditoria')).status, 303)
  })

  it('200: tells in words who did what, from where, and leads to it', async () => {
    const text = await get('')
    assert.ok(text.includes('Leyó una consulta') && text.includes(`href="/consola/consultas/${SID}"`))
    assert.ok(text.includes(`href="/consola/supresiones/${SID}"`) && text.includes('Línea de comandos'))
    assert.match(text, /Invitó a alguien al equipo del mercado[\s\S]{0,200}Sol Vega/, 'an account is named')
    assert.ok(text.includes('algo.nuevo'), 'what has no words is shown as it is')
  })

  it('200: a long list of what was seen is counted, and opens', async () => {
    const by = { accountId: other.account.id, via: 'agencia', act: 'consultas.listar' } as const
    await audit(server.store, { ...by, subject: 'larga', detail: { sids: ['S1', 'S2', 'S3', 'S4'], filtro: '' } })
    await audit(server.store, { ...by, subject: 'corta', detail: { sids: ['S5', 'S6'] } })
    assert.match(await get('sobre=larga'), /<details><summary>Consultas: 4<\/summary>S1, S2, S3, S4<\/details><\/div>/)
    assert.match(await get('sobre=corta'), /<div>Consultas: S5, S6<\/div>/)
    await audit(server.store, { ...by, subject: 'nada', detail: { sids: [] } })
    assert.match(await get('sobre=nada'), /<div>Consultas: 0<\/div>/)
  })

  it('200: of the thousands of inquiries in an old entry about a file, the number and the ends', async () => {
    const sids = Array.from({ length: 10_000 }, (_, at) => `SID${10_000 - at}.`)
    const by = { accountId: other.account.id, via: 'agencia', act: 'consultas.listar' } as const
    await audit(server.store, { ...by, subject: 'archivo', detail: { sids, formato: 'csv' } })
    const text = await get('sobre=archivo')
    for (const shown of ['Cantidad: 10000', 'Desde: SID1.', 'Hasta: SID10000.', 'Formato: csv'])
      assert.ok(text.includes(`<div>${shown}</div>`), shown)
    const csv = await get('sobre=archivo&formato=csv')
    assert.ok(csv.includes('SID1.') && csv.includes('SID10000.') && csv.includes('10000'))
    assert.ok(!text.includes('SID5000.') && !csv.includes('SID5000.'))
  })

  it('200: details are in words, and an unknown name is shown as it is', async () => {
    const by = { accountId: other.account.id, via: 'consola' } as const
    const detail = { modo: 'prueba', porCorreo: true, estado: 'pendiente', constructor: 1 }
    await audit(server.store, { ...by, act: 'correos.listar', subject: 'detalle', detail })
    const text = await get('sobre=detalle')
    for (const shown of ['Modo: Prueba', 'Búsqueda por correo: Sí', 'Estado: en camino', 'constructor: 1'])
      assert.ok(text.includes(`<div>${shown}</div>`), shown)
  })

  it('200: narrowed by person, act, place, subject and days', async () => {
    assert.equal(rows(await get(`quien=${other.email.toUpperCase()}&acto=consulta.leer`)), 1)
    assert.equal(rows(await get('via=comando')), 1)
    assert.equal(rows(await get(`sobre=${SID}`)), 2)
    assert.equal(rows(await get('desde=2025-03-04&hasta=2025-03-04')), 1)
    assert.equal(rows(await get('hasta=2025-03-03')), 0)
    assert.equal(rows(await get('quien=nadie@nadie.test')), 0)
    assert.match(await get('quien=nadie@nadie.test'), /No hay registros con esos filtros/)
    assert.ok(rows(await get('desde=0001-01-01&hasta=9999-12-31')) > 3)
    assert.equal(rows(await get('hasta=0001-01-01')), 0)
    assert.ok(rows(await get('desde=no&via=otra&antes=x')) > 3, 'what makes no sense is as if it had not been said')
  })

  it('200: as a file, with the filters', async () => {
    const { text, headers } = await staff.visitor.get(`/consola/auditoria?formato=csv&quien=${other.email}`)
    assert.match(headers['content-disposition'] ?? '', /auditoria\.csv/)
    assert.ok(text.includes(`"${other.email}";"consulta.leer";"${SID}"`))
    assert.ok(!text.includes(staff.email))
  })

  it('looking at it is in it', async () => {
    await get('')
    const { rows: newest } = await listAudit(server.store, { accountId: staff.account.id }, { limit: 1 })
    assert.equal(newest[0]?.act, 'auditoria.listar')
  })

  it('goes on page by page, newest first, and back', async () => {
    for (let n = 0; n < 60; n++)
      await audit(server.store, { accountId: null, via: 'comando', act: 'muchos', subject: String(n) })
    const first = await get('acto=muchos')
    assert.equal(rows(first), 25)
    const link = (text: string, label: string) =>
      new RegExp(`href="[^"]*\\?([^"]+)">[^<]*${label}`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await get(link(first, 'Página siguiente'))
    assert.equal(rows(second), 25)
    const third = await get(link(second, 'Página siguiente'))
    assert.equal(rows(third), 10)
    assert.equal(link(third, 'Página siguiente'), '')
    const back = await get(link(third, 'Página anterior'))
    assert.deepEqual(back.match(/<code[^>]*>\d+</g), second.match(/<code[^>]*>\d+</g))
  })

  it('every act that the code notes has words', () => {
    const src = new URL('../../', import.meta.url)
    const acts = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
      .flatMap((path) => [...readFileSync(new URL(path, src), 'utf8').matchAll(NOTED)].map(([, act]) => act as string))
    assert.ok(acts.length > 40, String(acts.length))
    assert.deepEqual(
      [...new Set(acts)].filter((act) => formatAct(act) === act),
      [],
    )
    assert.equal(formatAct('constructor'), 'constructor')
  })

  it('leads only to pages that there are', () => {
    assert.equal(pageOf('consulta.leer', '../../x'), undefined)
    assert.equal(pageOf('correo.leer', 'correo 12'), '/consola/correos/12')
  })

  it('in a browser: what somebody did is found by who, act and day, read in words, and downloaded', () =>
    onPage('console auditoria', { as: staff.visitor }, async (page) => {
      await page.goto('/consola/auditoria')
      await page.getByText('Fechas').click()
      await search(page, { 'Quién (correo exacto)': other.email, Hasta: '2025-03-03T10:00' })
      await page.getByText('No hay registros con esos filtros').waitFor()
      await page.getByText('Fechas (1)').waitFor()
      await page.getByLabel('Acción', { exact: true }).selectOption('Leyó una consulta')
      await search(page, { 'Sobre (id exacto)': SID, Hasta: '' })
      await page.getByText('Fechas', { exact: true }).waitFor()
      await assertAccessible(page)
      const row = page.getByRole('row').filter({ hasText: 'Eva Luz' })
      await row.getByRole('link', { name: SID }).waitFor()
      const { lines } = await download(page)
      assert.equal(lines.length, 2)
      assert.match(lines[1] ?? '', /"consulta\.leer"/)
    }))
})
