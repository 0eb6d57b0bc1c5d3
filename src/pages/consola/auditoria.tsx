import { fullName, MAIL_CHARACTERS } from '../../accounts/account.ts'
import { type AuditEntry, knownActs, listAudit, VIAS } from '../../accounts/audit.ts'
import { findAccounts } from '../../accounts/store.ts'
import { currentLanguage } from '../../i18n/locale.ts'
import { t, textOrElse } from '../../i18n/messages.tsx'
import { isUlid } from '../../ulid.ts'
import { firstInstant, instantAfter, periodFilters } from '../entregas/filters.tsx'
import { loadedFilter, selectFilter, textFilter } from '../filter.tsx'
import { defineList, numberedPage, timeOrders } from '../list.tsx'
import { column, momentColumn } from '../table.tsx'
import { AuditDetail } from './audit-detail.tsx'
import { CONSOLE } from './context.tsx'

/** An act in words; one without is shown as it is written. */
export const formatAct = (act: string): string => textOrElse(`consola.audit.act.${act}`, act)

/** The page of what an entry is about, where there is one. */
export function pageOf(act: string, subject: string): string | undefined {
  const [section] = act.split('.')
  if (act === 'suprimir' || section === 'supresion')
    return isUlid(subject) ? `/consola/supresiones/${subject}` : undefined
  if (section === 'consulta' && isUlid(subject)) return `/consola/consultas/${subject}`
  if (section === 'entrega' && isUlid(subject)) return `/consola/entregas/${subject}`
  if (section === 'app' && /^[0-9a-f]{32}$/.test(subject)) return `/consola/apps/${subject}`
  const email = /^correo (\d+)$/.exec(subject)?.[1]
  return email && `/consola/correos/${email}`
}

const AUDITORIA = '/consola/auditoria'
/** No account has it: a search for somebody unknown finds nothing. */
const NO_ACCOUNT = 0

const dateOf = (instant: number | '' | undefined): Date | undefined =>
  typeof instant === 'number' ? new Date(instant) : undefined

export const AUDITORIA_LIST = defineList(() => ({
  audience: CONSOLE,
  section: AUDITORIA,
  title: t('consola.audit.title'),
  intro: t('consola.audit.intro'),
  filters: {
    quien: textFilter(t('consola.audit.whoExact'), { maxlength: MAIL_CHARACTERS }),
    acto: loadedFilter(t('consola.head.act'), t('consola.filter.all.f')),
    via: selectFilter(
      t('consola.audit.where'),
      t('consola.audit.anywhere'),
      VIAS.map((via) => [via, t(`consola.audit.via.${via}`)] as const),
    ),
    sobre: textFilter(t('consola.audit.aboutExact')),
    ...periodFilters(),
  },
  orders: timeOrders(),
  load: async ({ store, config: { timeZone } }, request) => {
    const { quien, via, acto: act, sobre: subject, desde, hasta } = request.filters
    await request.ctx.audit(request.csv ? 'auditoria.bajar' : 'auditoria.listar', '') // first: it is listed too
    // One address may have an account in production and one in test: the first is production's.
    const accountId = quien === undefined ? undefined : ((await findAccounts(store, quien))[0]?.id ?? NO_ACCOUNT)
    const search = {
      accountId,
      via,
      act,
      subject,
      desde: dateOf(desde && firstInstant(desde, timeZone)),
      hasta: dateOf(hasta && instantAfter(hasta, timeZone)),
    }
    const [found, acts] = await Promise.all([
      numberedPage(request, (cursor) => listAudit(store, search, cursor)),
      knownActs(store),
    ])
    const acto = acts
      .map((each) => [each, formatAct(each)] as const)
      .sort(([, a], [, b]) => a.localeCompare(b, currentLanguage().locale))
    return { ...found, choices: { acto } }
  },
  columns: (ctx) => [
    { ...momentColumn(t('consola.head.when'), ctx, ({ at }: AuditEntry) => at), sort: 'fecha' },
    {
      head: t('consola.head.who'),
      cell: ({ account, via }) => (
        <div>
          {account && <span title={account.email}>{fullName(account)}</span>}
          <div class="hint">{t(`consola.audit.via.${via}`)}</div>
        </div>
      ),
      text: ({ account }) => account?.email ?? '',
    },
    column(t('consola.head.act'), 'act', formatAct),
    { head: t('consola.audit.about'), cell: (entry) => <Subject {...entry} />, text: ({ subject }) => subject },
    {
      head: t('consola.audit.detail'),
      cell: ({ act, detail }) => detail && <AuditDetail act={act} detail={detail} />,
      text: ({ detail }) => (detail ? JSON.stringify(detail) : ''),
    },
    { head: t('consola.audit.where'), text: ({ via }) => via },
  ],
  empty: { none: t('consola.audit.none'), noMatch: t('consola.audit.noMatch'), all: t('consola.audit.all') },
}))

function Subject({ act, subject, about }: AuditEntry) {
  if (!subject) return null
  if (about) return <span title={about.email}>{fullName(about)}</span>
  const href = pageOf(act, subject)
  const shown = subject.includes('@') ? <span class="wrap-anywhere">{subject}</span> : <code>{subject}</code>
  return href ? <a href={href}>{shown}</a> : shown
}
