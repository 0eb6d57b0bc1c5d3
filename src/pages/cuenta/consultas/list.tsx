import { addDays, dayOf, periodOf } from '../../../http/dates.ts'
import { LAST_PAGE } from '../../../http/links.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { toE164 } from '../../../phone.ts'
import { autoOf, type Consulta, ESTADOS, interesadoOf } from '../../../resources/consultas/consulta.ts'
import { listConsultas, PER_PAGE } from '../../../resources/consultas/read.ts'
import { searchConsultas, searchOn } from '../../../resources/consultas/search.ts'
import { momentOf } from '../../../ulid.ts'
import { MAX_CSV_ROWS } from '../../csv.ts'
import { dayFilter, searchFilter, selectFilter } from '../../filter.tsx'
import { localMoment, Moment } from '../../format.tsx'
import { consultaCar, consultaColumns, ESTADO_LABELS, EstadoBadge, INTERES_LABELS, personName } from '../../labels.tsx'
import { defineList } from '../../list.tsx'
import { numberParam, type Query, textParam } from '../../params.ts'
import { Cards } from '../../parts.tsx'
import type { Column } from '../../table.tsx'
import { carOf, Thumbnail } from '../../thumbnail.tsx'
import { AGENCY, type AgencyContext, type AgencyMembership, agencyPath } from '../context.tsx'

export const CONSULTAS = '/cuenta/consultas'

/** The inquiries of an agency, for those who answer them: cards that fit a telephone, the newest first. */
export const CONSULTAS_LIST = defineList(() => ({
  audience: AGENCY,
  section: CONSULTAS,
  title: t('cuenta.inquiries.title'),
  filters: {
    q: searchFilter(t('cuenta.list.search'), t('cuenta.inquiries.searchHint')),
    estado: selectFilter(
      t('cuenta.list.state'),
      t('cuenta.list.allStates'),
      ESTADOS.map((each) => [each, ESTADO_LABELS[each]] as const),
    ),
    desde: { ...dayFilter(t('cuenta.inquiries.from')), group: t('cuenta.inquiries.byDay') },
    hasta: { ...dayFilter(t('cuenta.inquiries.to')), group: t('cuenta.inquiries.byDay') },
  },
  load: async ({ store, config }, { ctx, query, csv, filters: { q: text, estado, desde, hasta } }) => {
    const { timeZone, now } = ctx
    const today = dayOf(now, timeZone)
    const first = addDays(today, -config.retentionDays)
    const within = (day: string) => (day < first ? first : day > today ? today : day)
    const period = periodOf(within(desde ?? first), within(hasta ?? today), timeZone)
    const search = { ...scopeOf(ctx), period }
    if (csv) return { total: undefined, ...(await searchOn(store, { ...search, estado, text }, MAX_CSV_ROWS)) }

    const { pagina: page, antes: before } = position(query)
    const links = (more: boolean) => ({
      first: before !== undefined && page === 1,
      newer: page > 1 ? { antes: before, pagina: page > 2 ? page - 1 : undefined } : undefined,
      older: more ? { antes: before, pagina: page + 1 } : undefined,
    })
    if (estado || text || before) {
      const found = await searchConsultas(store, { ...search, page, estado, text, before })
      return { total: undefined, ...found, ...links(found.more) }
    }
    const { total, rows } = await listConsultas(store, { ...search, page })
    return { total, rows, searchedTo: undefined, ...links(page < LAST_PAGE && page * PER_PAGE < total) }
  },
  audit: ({ ctx, csv, found }) => auditOfRows(ctx, found.rows, csv ? { formato: 'csv' } : {}),
  intro: ({ ctx, found: { total } }) => (
    <p class="facts">
      {total !== undefined && <span>{t('cuenta.inquiries.total', { count: total })}</span>}
      {ctx.agencia.rol !== 'administrador' && <span>{t('cuenta.inquiries.own')}</span>}
    </p>
  ),
  rows: ({ ctx, found }) => <ConsultaCards rows={found.rows} ctx={ctx} />,
  searchedTo: ({ ctx, filters, found: { searchedTo } }) =>
    searchedTo &&
    rich('cuenta.inquiries.searchedTo', {
      moment: <Moment at={momentOf(searchedTo)} when={ctx} />,
      link: (text) => <a href={agencyPath(ctx, CONSULTAS, { ...filters, antes: searchedTo })}>{text}</a>,
    }),
  columns: (ctx) => csvColumns(ctx),
  empty: {
    none: t('cuenta.inquiries.none'),
    noMatch: t('cuenta.inquiries.noMatch'),
    all: t('cuenta.inquiries.showAll'),
  },
  csvName: ({ now, timeZone }) => `consultas-${dayOf(now, timeZone)}`,
  pagerLabels: { newer: t('cuenta.inquiries.newer'), older: t('cuenta.inquiries.older'), csv: t('cuenta.list.csv') },
}))

/** The page of a list that is paged by number; a search that was continued looks at inquiries before `antes`. */
const position = (query: Query) => ({
  antes: textParam(query, 'antes'),
  pagina: Math.min(Math.max(1, numberParam(query, 'pagina') ?? 1), LAST_PAGE),
})

/** One column for each value that a dealership sorts and counts by. */
function csvColumns({ timeZone, country }: AgencyContext): Column<Consulta>[] {
  const valuesOf = <Values extends object>(
    of: (row: Consulta) => Values,
    heads: [head: string, name: keyof Values][],
  ) => heads.map(([head, name]) => ({ head, text: (row: Consulta) => of(row)[name] as string | null }))
  const price = (row: Consulta) => autoOf(row).Precio ?? { Moneda: null, Importe: null }
  return [
    { head: t('cuenta.column.date'), text: ({ sid }) => localMoment(momentOf(sid), timeZone) },
    { head: t('cuenta.list.state'), text: ({ estado }) => ESTADO_LABELS[estado] },
    ...valuesOf(interesadoOf, [
      [t('comun.field.firstName'), 'Nombre'],
      [t('comun.field.lastName'), 'Apellido'],
      [t('comun.field.email'), 'Email'],
      [t('comun.field.telephone'), 'Telefono'],
      [t('comun.field.city'), 'Ciudad'],
      [t('comun.field.region'), 'Provincia'],
    ]),
    { head: t('cuenta.column.interest'), text: (row) => formatInterest(interesadoOf(row)) },
    ...valuesOf(interesadoOf, [[t('cuenta.column.comment'), 'Comentario']]),
    ...valuesOf(autoOf, [
      [t('cuenta.column.make'), 'Marca'],
      [t('cuenta.column.model'), 'Modelo'],
      [t('cuenta.column.version'), 'Version'],
      [t('cuenta.column.year'), 'VersionYear'],
    ]),
    ...valuesOf(price, [
      [t('cuenta.column.currency'), 'Moneda'],
      [t('cuenta.column.price'), 'Importe'],
    ]),
    ...valuesOf(autoOf, [
      [t('cuenta.column.listing'), 'ExternalId'],
      [t('cuenta.column.stock'), 'RefStock'],
    ]),
    ...consultaColumns(),
    { head: t('cuenta.column.id'), text: ({ sid }) => sid },
    { head: t('cuenta.column.e164'), text: (row) => toE164(interesadoOf(row).Telefono, country) },
  ]
}

const formatInterest = ({ Interes }: ReturnType<typeof interesadoOf>) => Interes && INTERES_LABELS[Interes]

/** The administrator sees all of an agency's, others what they are responsible for (docs/decisions.md). */
export const scopeOf = ({ agencia: { id, rol }, account }: Pick<AgencyMembership, 'agencia' | 'account'>) => ({
  agenciaId: id,
  app: 'all' as const,
  operador: rol === 'administrador' ? undefined : account.email,
})

export const auditOfRows = ({ agencia }: AgencyContext, rows: readonly Consulta[], more = {}) => ({
  act: 'consultas.listar',
  subject: agencia.adminMail,
  detail: { sids: rows.map(({ sid }) => sid), ...more },
})

export const ConsultaCards = ({ rows, ctx }: { rows: readonly Consulta[]; ctx: AgencyContext }) => (
  <Cards rows={rows} class="cards inquiries">
    {(row) => {
      const { Comentario } = interesadoOf(row)
      const others = ctx.agencia.rol === 'administrador' && row.operador !== ctx.account.email
      return (
        <a href={`/cuenta/consultas/${row.sid}`}>
          <Thumbnail car={carOf(row)} ctx={ctx} />
          <span class="about">
            <span class="top">
              <strong>{personName(row)}</strong>
              <EstadoBadge estado={row.estado} />
            </span>
            <span>{consultaCar(row)}</span>
            {Comentario && <span class="hint one-line">{Comentario}</span>}
            <span class="hint facts">
              <Moment at={momentOf(row.sid)} when={ctx} />
              {others && <span>{row.operador}</span>}
            </span>
          </span>
        </a>
      )
    }}
  </Cards>
)
