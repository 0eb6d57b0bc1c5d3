import { addDays, dayOf, periodOf, startOfDay } from '../../../http/dates.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { toE164 } from '../../../phone.ts'
import type { StoredPhoto } from '../../../photos/photo.ts'
import { inboxSettings } from '../../../resources/agencias/inbox.ts'
import { autoOf, type Consulta, ESTADOS, interesadoOf } from '../../../resources/consultas/consulta.ts'
import { countConsultas } from '../../../resources/consultas/counts.ts'
import { photosOfConsultas } from '../../../resources/consultas/publicacion.ts'
import { dueReminders, type Reminder } from '../../../resources/consultas/reminders.ts'
import { operadoresSeenBy, unassignedTo } from '../../../resources/consultas/scope.ts'
import { exportConsultas, searchConsultas } from '../../../resources/consultas/search.ts'
import { EXTERNAL_ID_CHARACTERS } from '../../../resources/publicaciones/publicacion.ts'
import type { Db } from '../../../store/db.ts'
import { momentOf } from '../../../ulid.ts'
import { dayFilter, type Filter, hiddenFilter, loadedFilter, searchFilter, selectFilter } from '../../filter.tsx'
import { localMoment, Moment } from '../../format.tsx'
import { ConsultaEstadoBadge, consultaCar, consultaColumns, formatInterest, personName } from '../../labels.tsx'
import { defineList, orderedPage } from '../../list.tsx'
import { listFormPath } from '../../list-form.ts'
import { cursorParam } from '../../params.ts'
import { Cards, SecondaryLink } from '../../parts.tsx'
import type { Column } from '../../table.tsx'
import { carOf, Thumbnail } from '../../thumbnail.tsx'
import { AssignForm, isUnassigned, Pick, peopleChoices, responsibleName } from '../assign.tsx'
import { AGENCY, type AgencyContext, type AgencyMembership, agencyPath } from '../context.tsx'
import { formatAge, overdueMinutes } from './age.ts'

export const CONSULTAS = '/cuenta/consultas'

/**
 * The inquiries of an agency, for those who answer them: cards that fit a telephone, the newest first. Who sees what is read
 * from the primary: a replica may not know it yet.
 */
export const consultasList = (primary: Db) =>
  defineList(() => ({
    audience: AGENCY,
    section: CONSULTAS,
    title: t('cuenta.inquiries.title'),
    filters: {
      q: searchFilter(t('cuenta.list.search'), t('cuenta.inquiries.searchHint')),
      estado: selectFilter(
        t('cuenta.list.state'),
        t('cuenta.list.allStates'),
        ESTADOS.map((each) => [each, t(`comun.estado.${each}`)] as const),
      ),
      ver: selectFilter(t('bandeja.list.show'), t('bandeja.list.all'), [
        ['sin-responder', t('bandeja.list.unanswered')] as const,
      ]),
      operador: operadorFilter(),
      aviso: hiddenFilter(EXTERNAL_ID_CHARACTERS),
      desde: { ...dayFilter(t('cuenta.inquiries.from')), group: t('cuenta.inquiries.byDay') },
      hasta: { ...dayFilter(t('cuenta.inquiries.to')), group: t('cuenta.inquiries.byDay') },
    },
    load: async ({ store, config }, request) => {
      const { ctx, query, csv, filters } = request
      const { q: text, estado, ver, operador, aviso, desde, hasta } = filters
      const { timeZone, now } = ctx
      const today = dayOf(now, timeZone)
      const first = addDays(today, -config.retentionDays)
      const within = (day: string) => (day < first ? first : day > today ? today : day)
      const period = periodOf(within(desde ?? first), within(hasta ?? today), timeZone)
      const scope = await scopeOf(primary, ctx)
      const operadores = await chosenOperadores(primary, ctx, scope.operadores, operador)
      const externalKey = aviso?.toLowerCase()
      const search = { ...scope, operadores, period, estado, text, unanswered: ver === 'sin-responder', externalKey }
      const shown = {
        objetivoMinutos: (await inboxSettings(store, ctx.agencia.id)).objetivoMinutos,
        choices: { operador: operadorChoices(ctx, scope.operadores) },
        assignable: ctx.agencia.operadores.length > 1 && scope.operadores?.length !== 1,
        reminders: [] as Reminder[],
        photos: new Map<string, StoredPhoto>(),
      }
      const found = await orderedPage(request, 'sid', (cursor) =>
        csv ? exportConsultas(store, search, cursor) : searchConsultas(store, search, cursor),
      )
      if (csv) return { ...shown, ...found, total: undefined }

      const { before, after } = cursorParam(query)
      const isFirst = before === undefined && after === undefined
      const isSearch = Boolean(estado || text || ver || aviso)
      const total = isSearch ? undefined : await countConsultas(store, { ...scope, operadores, ...period })
      const reminders = isFirst && !isSearch && !operador ? await remindersOf(store, ctx, scope.operadores) : []
      const photos = await photosOfConsultas(store, [...found.rows, ...reminders])
      return { ...shown, ...found, first: !isFirst, total, reminders, photos }
    },
    audit: ({ ctx, csv, found }) =>
      csv ? auditOfCsv(ctx, found.rows) : auditOfRows(ctx, [...found.rows, ...found.reminders]),
    actions: ({ ctx }) => (
      <SecondaryLink href={agencyPath(ctx, '/cuenta/reparto')}>{t('bandeja.sharing.title')}</SecondaryLink>
    ),
    intro: ({ ctx, filters: { aviso }, found: { total, assignable } }) => (
      <p class="facts">
        {total !== undefined && <span>{t('cuenta.inquiries.total', { count: total })}</span>}
        {ctx.agencia.rol !== 'administrador' && (
          <span>{t(assignable ? 'bandeja.list.ownAndOpen' : 'cuenta.inquiries.own')}</span>
        )}
        {aviso && <span>{t('bandeja.list.ofListing', { id: aviso })}</span>}
      </p>
    ),
    rows: ({ ctx, filters, query, found: { rows, reminders, photos, objetivoMinutos, assignable } }) => (
      <>
        <Reminders ctx={ctx} reminders={reminders} photos={photos} />
        <ConsultaCards rows={rows} photos={photos} ctx={ctx} objetivoMinutos={objetivoMinutos} pickable={assignable} />
        {assignable && (
          <AssignForm ctx={ctx} action={listFormPath(AGENCY, `${CONSULTAS}/asignar`, { ctx, filters, query })} />
        )}
      </>
    ),
    searchedTo: ({ ctx, filters, found: { searchedTo } }) => {
      if (!searchedTo) return undefined
      const { before: antes, after: despues } = searchedTo
      const on = agencyPath(ctx, CONSULTAS, { ...ctx.sealMails(filters), antes, despues })
      return rich('cuenta.inquiries.searchedTo', {
        moment: <Moment at={momentOf(String(antes ?? despues))} when={ctx} />,
        link: (text) => <a href={on}>{text}</a>,
      })
    },
    columns: (ctx) => csvColumns(ctx),
    empty: ({ ctx }) => ({
      none: t(ctx.agencia.rol === 'administrador' ? 'cuenta.inquiries.none' : 'cuenta.inquiries.noneOwn'),
      noMatch: t('cuenta.inquiries.noMatch'),
      all: t('cuenta.inquiries.showAll'),
    }),
    csvName: ({ now, timeZone }) => `consultas-${dayOf(now, timeZone)}`,
    pagerLabels: { newer: t('cuenta.inquiries.newer'), older: t('cuenta.inquiries.older'), csv: t('cuenta.list.csv') },
  }))

/** One column for each value that a dealership sorts and counts by. */
function csvColumns({ timeZone, country }: AgencyContext): Column<Consulta>[] {
  const valuesOf = <Values extends object>(
    of: (row: Consulta) => Values,
    heads: [head: string, name: keyof Values][],
  ) => heads.map(([head, name]) => ({ head, text: (row: Consulta) => of(row)[name] as string | null }))
  const price = (row: Consulta) => autoOf(row).Precio ?? { Moneda: null, Importe: null }
  return [
    { head: t('cuenta.column.date'), text: ({ sid }) => localMoment(momentOf(sid), timeZone) },
    { head: t('cuenta.list.state'), text: ({ estado }) => t(`comun.estado.${estado}`) },
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

/** The administrator sees all of an agency's, others theirs, and unassigned ones if these are open (docs/decisions/reading-inquiries.md). */
export const scopeOf = async (db: Db, { agencia, account }: Pick<AgencyMembership, 'agencia' | 'account'>) => ({
  agenciaId: agencia.id,
  app: 'all' as const,
  operadores: await operadoresSeenBy(db, agencia, account.email),
})

const NOBODY = 'nadie'

/** The operadores that a filter chooses among those in the scope: a person by account, or nobody. */
async function chosenOperadores(
  db: Db,
  { agencia }: AgencyContext,
  seen: readonly string[] | undefined,
  chosen: string | undefined,
): Promise<readonly string[] | undefined> {
  if (chosen === undefined) return seen
  const person = agencia.operadores.find(({ accountId }) => String(accountId) === chosen)
  const operadores = chosen === NOBODY ? await unassignedTo(db, agencia) : person ? [person.email] : []
  return operadores.filter((email) => seen === undefined || seen.includes(email))
}

/** Whose inquiries can be chosen: only where there is a choice. */
function operadorChoices({ agencia, account }: AgencyContext, seen: readonly string[] | undefined) {
  if (agencia.operadores.length < 2 || seen?.length === 1) return []
  const people = peopleChoices(agencia).filter(([id]) => seen === undefined || id === String(account.id))
  return [[NOBODY, t('bandeja.list.unassigned')] as const, ...people]
}

/** Like `loadedFilter`, without a field where there is nothing to choose. */
function operadorFilter(): Filter<string> {
  const filter = loadedFilter(t('comun.consulta.assigned'), t('bandeja.list.anybody'))
  return {
    ...filter,
    field: (name, value, choices) => (choices.length > 0 && filter.field?.(name, value, choices)) || null,
  }
}

/** Of today, and those that were due before. */
async function remindersOf(db: Db, ctx: AgencyContext, operadores: readonly string[] | undefined) {
  const before = startOfDay(addDays(dayOf(ctx.now, ctx.timeZone), 1), ctx.timeZone)
  return dueReminders(db, { agenciaId: ctx.agencia.id, operadores, accountId: ctx.account.id, before })
}

interface RemindersProps {
  ctx: AgencyContext
  reminders: readonly Reminder[]
  photos: ConsultaCardsProps['photos']
}

const Reminders = ({ ctx, reminders, photos }: RemindersProps) =>
  reminders.length === 0 ? null : (
    <section class="reminders">
      <h2>{t('bandeja.reminder.due')}</h2>
      <ul class="rows">
        {reminders.map((row) => (
          <li key={row.sid}>
            <a class="with-thumbnail" href={`${CONSULTAS}/${row.sid}`}>
              <Thumbnail car={carOf(row)} photo={photos.get(row.sid)} ctx={ctx} />
              <span>
                <strong>{personName(row)}</strong>
                <span class="hint below">
                  <Moment at={row.dueAt} when={ctx} /> · {consultaCar(row)}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )

export const auditOfRows = ({ agencia }: AgencyContext, rows: readonly Consulta[]) => ({
  act: 'consultas.listar',
  subject: agencia.adminMail,
  detail: { sids: rows.map(({ sid }) => sid) },
})

/** A file may have MAX_CSV_ROWS: their number, and the oldest and the newest of them, stand for all sids. */
const auditOfCsv = ({ agencia }: AgencyContext, rows: readonly Consulta[]) => ({
  act: 'consultas.listar',
  subject: agencia.adminMail,
  detail: { formato: 'csv', cantidad: rows.length, desde: rows.at(-1)?.sid, hasta: rows[0]?.sid },
})

interface ConsultaCardsProps {
  rows: readonly Consulta[]
  /** By sid, of those whose listing has one. */
  photos: ReadonlyMap<string, StoredPhoto>
  ctx: AgencyContext
  /** Within how many minutes the agency wants to answer. */
  objetivoMinutos: number
  /** Each has a box, for the form `AssignForm`. */
  pickable?: boolean
}

export const ConsultaCards = ({ rows, photos, ctx, objetivoMinutos, pickable = false }: ConsultaCardsProps) => (
  <Cards rows={rows} class="cards inquiries">
    {(row) => {
      const { Comentario } = interesadoOf(row)
      const { agencia, account } = ctx
      const unassigned = agencia.operadores.length > 1 && isUnassigned(agencia, row.operador)
      const others = agencia.rol === 'administrador' && row.operador !== account.email
      const overdue = overdueMinutes(row, ctx.now, objetivoMinutos)
      const link = (
        <a href={`/cuenta/consultas/${row.sid}`}>
          <Thumbnail car={carOf(row)} photo={photos.get(row.sid)} ctx={ctx} />
          <span class="about">
            <span class="top">
              <strong>{personName(row)}</strong>
              <ConsultaEstadoBadge estado={row.estado} />
            </span>
            <span>{consultaCar(row)}</span>
            {Comentario && <span class="hint one-line">{Comentario}</span>}
            <span class="hint facts">
              <Moment at={momentOf(row.sid)} when={ctx} short />
              {unassigned ? (
                <span>{t('bandeja.list.unassigned')}</span>
              ) : (
                others && <span class="responsible">{responsibleName(agencia, row.operador)}</span>
              )}
              {overdue !== undefined && (
                <span class="badge attention">{t('bandeja.list.overdue', { age: formatAge(overdue) })}</span>
              )}
            </span>
          </span>
        </a>
      )
      if (!pickable) return link
      return (
        <div class="pickable">
          <Pick name="sid" value={row.sid} label={personName(row)} />
          {link}
        </div>
      )
    }}
  </Cards>
)
