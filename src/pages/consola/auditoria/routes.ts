import { type AuditFilters, knownActs, listAudit, VIAS } from '../../../accounts/audit-log.ts'
import { MAIL_CHARACTERS } from '../../../accounts/mail-address.ts'
import { findAccounts } from '../../../accounts/store.ts'
import { addDays, startOfDay } from '../../../http/dates.ts'
import type { Db } from '../../../store/db.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { page } from '../../page.ts'
import {
  type Asking,
  choiceParam,
  dayParam,
  numberedCursorParam,
  pageLinks,
  type Query,
  textParam,
  wantsCsv,
} from '../../params.ts'
import type { PageDeps } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { AUDITORIA, auditColumns, auditPage, type Filters, VIA_COLUMN } from './page.tsx'

/** No account has it: whoever looks for somebody who is not there finds nothing. */
const NOBODY = 0
/** None comes after it, and nothing happened after it. */
const LAST_DAY = '9999-12-31'

/** /consola/auditoria: who did what. */
export function auditRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, config } = deps

  app.get<Asking>('/auditoria', async (request, reply) => {
    const { ctx } = request
    const { query } = request
    const filters = parseFilters(query)
    const asked = await meant(store, filters, config.timeZone)
    if (wantsCsv(query)) {
      await ctx.audit('auditoria.bajar', '')
      const { rows } = await listAudit(store, asked, { limit: MOST_CSV_ROWS })
      return sendCsv(reply, 'auditoria', [...auditColumns(ctx), VIA_COLUMN], rows)
    }
    await ctx.audit('auditoria.listar', '')
    const [part, acts] = await Promise.all([listAudit(store, asked, numberedCursorParam(query)), knownActs(store)])
    const ways = pageLinks(AUDITORIA, { ...filters }, part, ({ id }) => id)
    return page(reply, auditPage({ ctx, filters, acts, rows: part.rows, ways }))
  })
}

const parseFilters = (query: Query): Filters => ({
  quien: textParam(query, 'quien', MAIL_CHARACTERS),
  via: choiceParam(query, 'via', VIAS),
  acto: textParam(query, 'acto'),
  sobre: textParam(query, 'sobre'),
  desde: dayParam(query, 'desde'),
  hasta: dayParam(query, 'hasta'),
})

/** One mail may be an account in production and one in test: the first is meant, which is production's. */
async function meant(
  db: Db,
  { quien, via, acto, sobre, desde, hasta }: Filters,
  timeZone: string,
): Promise<AuditFilters> {
  const accountId = quien === undefined ? undefined : ((await findAccounts(db, quien))[0]?.id ?? NOBODY)
  return {
    ...{ accountId, via, act: acto, subject: sobre },
    desde: desde ? startOfDay(desde, timeZone) : undefined,
    hasta: hasta && hasta < LAST_DAY ? startOfDay(addDays(hasta, 1), timeZone) : undefined,
  }
}
