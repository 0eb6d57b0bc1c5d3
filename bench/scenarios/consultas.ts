import { openClient } from '../database.ts'
import { bareScript, targetsOf } from '../inquiries/page.ts'
import type { Dealer } from '../inquiries/rows.ts'
import type { Installation } from '../installation.ts'
import { compareGets } from '../over-http.ts'
import type { Bench, Scenario } from '../scenario.ts'
import { BARE_PAGE, BARE_STATEMENTS } from '../server-process.ts'
import { withUsualIndex } from '../usual.ts'

const ONES = 200

/** A page of inquiries beside a bare server that asks PostgreSQL the same and joins the rows into the same body. */
export const consultas: Scenario = {
  name: 'consultas',
  title: 'Page of 25 of 1,000,000 inquiries, signed',
  seconds: 27,
  async measure(bench) {
    const targets = targetsOf((await bench.market()).dealers)
    const asked = { name: consultas.name, title: consultas.title, targets, target: 0.75 }
    return withUsualIndex(bench.installation, 'consultas', () => compare(bench, asked, BARE_PAGE))
  },
}

/** One of them by its sid. */
export const consulta: Scenario = {
  name: 'consulta',
  title: 'One of 1,000,000 inquiries, signed',
  seconds: 27,
  async measure(bench) {
    const targets = await someInquiries(bench.installation, (await bench.market()).dealers)
    return compare(bench, { name: consulta.name, title: consulta.title, targets, target: 0.6 }, BARE_STATEMENTS)
  },
}

type About = Pick<Scenario, 'name' | 'title'> & { targets: string[]; target: number }

const compare = (bench: Bench, asked: About, program: string) =>
  compareGets(bench, {
    asked: () => asked,
    bare: async (answers) => ({ program, file: await bareScript(bench.installation, answers) }),
    usual: true,
    asksPostgres: true,
  })

/** Inquiries from all of the time, by their addresses. */
export async function someInquiries({ connection }: Installation, dealers: Dealer[]): Promise<string[]> {
  const client = await openClient(connection)
  const { rows } = await client.query<{ mail: string; sid: string }>(
    `select g.admin_mail as mail, c.sid from agencias g
     cross join lateral (select sid from consultas where agencia_id = g.id order by sid limit 1 offset g.id % 50) c
     where g.id = any ($1)`,
    [dealers.slice(0, ONES).map(({ id }) => id)],
  )
  await client.end()
  return rows.map(({ mail, sid }) => `/v3/consultas/${mail}/${sid}`)
}
