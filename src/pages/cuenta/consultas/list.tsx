import { addDays, dayOf, periodOf } from '../../../http/dates.ts'
import { LAST_PAGE } from '../../../http/links.ts'
import { toE164 } from '../../../phone.ts'
import { autoOf, type Consulta, ESTADOS, interesadoOf } from '../../../resources/consultas/consulta.ts'
import { listConsultas, PER_PAGE } from '../../../resources/consultas/read.ts'
import { searchConsultas, searchOn } from '../../../resources/consultas/search.ts'
import { momentOf } from '../../../ulid.ts'
import { MAX_CSV_ROWS } from '../../csv.ts'
import { dayFilter, searchFilter, selectFilter } from '../../filter.tsx'
import { formatNumber, localMoment, Moment } from '../../format.tsx'
import { consultaCar, consultaColumns, ESTADO_LABELS, EstadoBadge, INTERES_LABELS, personName } from '../../labels.tsx'
import { defineList } from '../../list.tsx'
import { numberParam, type Query, textParam } from '../../params.ts'
import { Cards } from '../../parts.tsx'
import type { Column } from '../../table.tsx'
import { carOf, Thumbnail } from '../../thumbnail.tsx'
import { AGENCY, type AgencyContext, type AgencyMembership, agencyPath } from '../context.tsx'

export const CONSULTAS = '/cuenta/consultas'
const BY_DAY = 'Por fechas'

/** The inquiries of an agency, for those who answer them: cards that fit a telephone, the newest first. */
export const CONSULTAS_LIST = defineList({
  audience: AGENCY,
  section: CONSULTAS,
  title: 'Consultas',
  filters: {
    q: searchFilter('Buscar', 'Nombre, teléfono, auto…'),
    estado: selectFilter(
      'Estado',
      'Todos',
      ESTADOS.map((each) => [each, ESTADO_LABELS[each]] as const),
    ),
    desde: { ...dayFilter('Desde el'), group: BY_DAY },
    hasta: { ...dayFilter('Hasta el'), group: BY_DAY },
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
      {total !== undefined && <span>{total === 1 ? '1 consulta' : `${formatNumber(total)} consultas`}</span>}
      {ctx.agencia.rol !== 'administrador' && <span>Las que están a su cargo</span>}
    </p>
  ),
  rows: ({ ctx, found }) => <ConsultaCards rows={found.rows} ctx={ctx} />,
  searchedTo: ({ ctx, filters, found: { searchedTo } }) =>
    searchedTo && (
      <>
        Buscamos hasta <Moment at={momentOf(searchedTo)} when={ctx} />.{' '}
        <a href={agencyPath(ctx, CONSULTAS, { ...filters, antes: searchedTo })}>Seguir buscando</a>
      </>
    ),
  columns: (ctx) => csvColumns(ctx),
  empty: {
    none: 'Todavía no llegó ninguna consulta. Cuando llegue, le avisamos por correo y la verá aquí.',
    noMatch: 'No hay consultas así.',
    all: 'Ver todas',
  },
  csvName: ({ now, timeZone }) => `consultas-${dayOf(now, timeZone)}`,
  pagerLabels: { newer: '← Más nuevas', older: 'Más antiguas →', csv: 'Bajar para una planilla (CSV)' },
})

/** The page of a list that is paged by number; a search that was continued looks at inquiries before `antes`. */
const position = (query: Query) => ({
  antes: textParam(query, 'antes'),
  pagina: Math.min(Math.max(1, numberParam(query, 'pagina') ?? 1), LAST_PAGE),
})

/** One column for each value that a dealership sorts and counts by. */
function csvColumns({ timeZone, country }: AgencyContext): Column<Consulta>[] {
  const valuesOf = <Values extends object>(of: (row: Consulta) => Values, heads: Record<string, keyof Values>) =>
    Object.entries(heads).map(([head, name]) => ({ head, text: (row: Consulta) => of(row)[name] as string | null }))
  const price = (row: Consulta) => autoOf(row).Precio ?? { Moneda: null, Importe: null }
  return [
    { head: 'Fecha', text: ({ sid }) => localMoment(momentOf(sid), timeZone) },
    { head: 'Estado', text: ({ estado }) => ESTADO_LABELS[estado] },
    ...valuesOf(interesadoOf, { Nombre: 'Nombre', Apellido: 'Apellido', Correo: 'Email', Teléfono: 'Telefono' }),
    ...valuesOf(interesadoOf, { Ciudad: 'Ciudad', Provincia: 'Provincia' }),
    { head: 'Le interesa', text: (row) => formatInterest(interesadoOf(row)) },
    ...valuesOf(interesadoOf, { Comentario: 'Comentario' }),
    ...valuesOf(autoOf, { Marca: 'Marca', Modelo: 'Modelo', Versión: 'Version', Año: 'VersionYear' }),
    ...valuesOf(price, { Moneda: 'Moneda', Precio: 'Importe' }),
    ...valuesOf(autoOf, { Aviso: 'ExternalId', 'Referencia de stock': 'RefStock' }),
    ...consultaColumns(),
    { head: 'Identificador', text: ({ sid }) => sid },
    { head: 'Teléfono E.164', text: (row) => toE164(interesadoOf(row).Telefono, country) },
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
