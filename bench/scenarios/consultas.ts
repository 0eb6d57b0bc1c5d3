import { randomUUID } from 'node:crypto'
import { consultaBody } from '../../drills/consulta-body.ts'
import { loadMarket, type Market } from '../fixture.ts'
import { compareGets, compareServers } from '../http.ts'
import type { Installation } from '../installation.ts'
import { type Bench, installationsOf, type Scenario } from '../scenario.ts'
import { withUsualIndex } from '../usual.ts'

const OTHERS = 50
/** More than a server takes in one turn. */
const CONSULTAS = 1_500

/** Half of the requests go to the largest agency, half to others. */
export async function pagePaths(bench: Bench, installation: Installation): Promise<string[]> {
  const [largest, ...others] = (await loadMarket(bench, installation)).agencies
  return others.slice(0, OTHERS).flatMap(({ mail }) => [`/v3/consultas/${largest?.mail}`, `/v3/consultas/${mail}`])
}

export const consultas: Scenario = {
  name: 'consultas',
  title: 'Page of 25 inquiries, signed',
  async run(bench) {
    for (const installation of installationsOf(bench)) await loadMarket(bench, installation)
    const paths = (installation: Installation) => pagePaths(bench, installation)
    const compare = () => compareGets(bench, { name: this.name, title: this.title, paths, usual: true })
    return bench.other ? compare() : withUsualIndex(bench.ours, 'consultas', compare)
  },
}

export const consulta: Scenario = {
  name: 'consulta',
  title: 'One inquiry, signed',
  async run(bench) {
    const known = new Map<Installation, string[]>()
    for (const installation of installationsOf(bench)) known.set(installation, await onePaths(bench, installation))
    const paths = async (installation: Installation) => known.get(installation) ?? []
    return compareGets(bench, { name: this.name, title: this.title, paths, usual: true })
  },
}

async function onePaths(bench: Bench, installation: Installation): Promise<string[]> {
  const { agencies } = await loadMarket(bench, installation)
  const rows = await installation.sql<{ mail: string; sid: string }>(
    `select g.admin_mail as mail, c.sid from agencias g
     cross join lateral (select sid from consultas where agencia_id = g.id order by sid limit 1 offset g.id % 10) c
     where g.id = any ($1) limit 200`,
    [agencies.map(({ id }) => id)],
  )
  return rows.map(({ mail, sid }) => `/v3/consultas/${mail}/${sid}`)
}

/** Every inquiry that was answered with 201 must be stored. The API runs without a worker: deliveries are not counted. */
export const intake: Scenario = {
  name: 'intake',
  title: 'An inquiry received, with its event, delivery and emails',
  async run(bench) {
    const markets = new Map<Installation, Market>()
    const before = new Map<Installation, number>()
    for (const installation of installationsOf(bench)) {
      const market = await loadMarket(bench, installation)
      markets.set(installation, market)
      await installation.sql(
        `insert into webhooks (app_id, topic, callback)
         values ($1, 'consulta.recibida', 'https://avisos.example/rodado') on conflict do nothing`,
        [market.appId],
      )
      before.set(installation, await stored(installation))
    }
    const comparison = {
      name: this.name,
      title: this.title,
      environment: { ROLE: 'api' },
      usual: true,
      once: true,
      requests: async ({ installation }: { installation: Installation }) =>
        Array.from({ length: CONSULTAS }, (_, at) => newConsulta(markets.get(installation) as Market, at)),
    }
    try {
      return await compareServers(bench, comparison, async (answered) => {
        for (const [installation, count] of answered) {
          const rows = (await stored(installation)) - (before.get(installation) ?? 0)
          if (rows !== count) throw new Error(`${installation.name}: ${count} inquiries answered 201, ${rows} stored.`)
        }
      })
    } finally {
      for (const { sql } of markets.keys())
        await sql(`
          with undelivered as (delete from deliveries where estado = 'pendiente' returning id)
          delete from events where id in (select id from undelivered);
          delete from mails; truncate idempotency_keys`)
    }
  },
}

async function stored({ sql }: Installation): Promise<number> {
  return (await sql<{ count: number }>('select count(*)::int as count from consultas'))[0]?.count ?? 0
}

/** An inquiry by another person than any other. */
function newConsulta({ publicaciones, sitioKey }: Market, at: number) {
  const person = randomUUID()
  const body = consultaBody(publicaciones[at % publicaciones.length] as number, {
    Email: `lucia.${person}@correo.example`,
    Telefono: `+54 9 341 ${person.replace(/\D/g, '').slice(0, 7).padEnd(7, '0')}`,
    Comentario: '¿Sigue disponible? Lo quiero ver el sábado a la mañana, si puede ser temprano.',
  })
  const headers = {
    authorization: `Bearer ${sitioKey}`,
    'content-type': 'application/json',
    accept: 'application/json',
    'idempotency-key': randomUUID(),
  }
  return { method: 'POST', path: '/interno/v1/consultas', headers, body, expected: [201] }
}
