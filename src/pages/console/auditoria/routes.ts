import type { FastifyInstance } from 'fastify'
import { type AuditAsked, knownActs, listAudit, VIAS } from '../../../accounts/audit-log.ts'
import { MAIL_CHARACTERS } from '../../../accounts/mail-address.ts'
import { findAccounts } from '../../../accounts/store.ts'
import { addDays, startOfDay } from '../../../http/dates.ts'
import type { Db } from '../../../store/db.ts'
import {
  type Asking,
  choiceAsked,
  dayAsked,
  numberedTurnAsked,
  type Query,
  textAsked,
  wantsCsv,
  waysOn,
} from '../../asked.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { page } from '../../page.ts'
import { HIDDEN, type People } from '../../people.ts'
import { visitBy } from '../visit.tsx'
import { AUDITORIA, auditColumns, auditPage, type Looked, VIA_COLUMN } from './page.tsx'

/** No account has it: whoever looks for somebody who is not there finds nothing. */
const NOBODY = 0
/** None comes after it, and nothing happened after it. */
const LAST_DAY = '9999-12-31'

/** /consola/auditoria: who did what. */
export function auditRoutes(app: FastifyInstance, people: People): void {
  const { store, config } = people

  app.get<Asking>(AUDITORIA, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { query } = request
    const looked = lookedFor(query)
    const asked = await meant(store, looked, config.timeZone)
    if (wantsCsv(query)) {
      await visit.note('auditoria.bajar', '')
      const { rows } = await listAudit(store, asked, { limit: MOST_CSV_ROWS })
      return sendCsv(reply, 'auditoria', [...auditColumns(visit), VIA_COLUMN], rows)
    }
    await visit.note('auditoria.listar', '')
    const [part, acts] = await Promise.all([listAudit(store, asked, numberedTurnAsked(query)), knownActs(store)])
    const ways = waysOn(AUDITORIA, { ...looked }, part, ({ id }) => id)
    return page(reply, auditPage({ visit, looked, acts, rows: part.rows, ways }))
  })
}

const lookedFor = (query: Query): Looked => ({
  quien: textAsked(query, 'quien', MAIL_CHARACTERS),
  via: choiceAsked(query, 'via', VIAS),
  acto: textAsked(query, 'acto'),
  sobre: textAsked(query, 'sobre'),
  desde: dayAsked(query, 'desde'),
  hasta: dayAsked(query, 'hasta'),
})

/** One mail may be an account in production and one in test: the first is meant, which is production's. */
async function meant(db: Db, { quien, via, acto, sobre, desde, hasta }: Looked, timeZone: string): Promise<AuditAsked> {
  const accountId = quien === undefined ? undefined : ((await findAccounts(db, quien))[0]?.id ?? NOBODY)
  return {
    ...{ accountId, via, act: acto, subject: sobre },
    desde: desde ? startOfDay(desde, timeZone) : undefined,
    hasta: hasta && hasta < LAST_DAY ? startOfDay(addDays(hasta, 1), timeZone) : undefined,
  }
}
