import { fullName } from '../../../accounts/account.ts'
import { addDays, dayOf, periodOf } from '../../../http/dates.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { usageByApp } from '../../../resources/agencias/figures.ts'
import { inboxSettings } from '../../../resources/agencias/inbox.ts'
import { findPaquete } from '../../../resources/agencias/paquetes.ts'
import { asociacionesOf } from '../../../resources/agencias/read.ts'
import { dailyConsultasOfAgencia } from '../../../resources/consultas/counts.ts'
import { photosOfConsultas } from '../../../resources/consultas/publicacion.ts'
import { searchConsultas } from '../../../resources/consultas/search.ts'
import { momentOf } from '../../../ulid.ts'
import { AgencyData, PaqueteUse } from '../../agency.tsx'
import { Moment, shortDay } from '../../format.tsx'
import { page } from '../../page.ts'
import { ButtonLink, SecondaryLink } from '../../parts.tsx'
import { Bars } from '../../plot.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { AppCards, ReadsSummary, recentPeriod } from '../apps/reads.tsx'
import { auditOfRows, CONSULTAS, ConsultaCards, scopeOf } from '../consultas/list.tsx'
import {
  type AccountContext,
  type AccountPages,
  type AgencyContext,
  AgencyPage,
  agencyPath,
  atAgency,
  PersonalPage,
} from '../context.tsx'

const SHOWN_DAYS = 30
const MAX_WAITING = 5
const MAX_COUNTED = 25

/** What the first page shows: inquiries without an answer, then the state of the agency. */
async function overviewOf({ store }: PageDeps, ctx: AgencyContext) {
  const { agencia, now, timeZone } = ctx
  const hasta = dayOf(now, timeZone)
  const desde = addDays(hasta, 1 - SHOWN_DAYS)
  const scope = await scopeOf(store, ctx)
  // An erased person waits for no answer.
  const period = periodOf(desde, hasta, timeZone)
  const search = { ...scope, period, estado: 'nueva', unanswered: true } as const
  const db = await ctx.reader()
  const { rows, older, searchedTo } = await searchConsultas(db, search, { limit: MAX_COUNTED })
  const shown = rows.slice(0, MAX_WAITING)
  // The newest ones, their number, whether there may be more, and where a search stopped that had not seen all.
  const waiting = {
    shown,
    photos: await photosOfConsultas(db, shown),
    count: rows.length,
    more: older,
    searchedTo: searchedTo?.before,
  }
  return {
    waiting,
    objetivoMinutos: (await inboxSettings(store, agencia.id)).objetivoMinutos,
    daily: await dailyConsultasOfAgencia(db, { ...scope, desde, hasta }),
    contracted: await findPaquete(store, agencia.id, timeZone),
    asociaciones: await asociacionesOf(store, agencia.id),
    reads: await usageByApp(db, agencia.id, recentPeriod(ctx)),
  }
}

type Overview = Awaited<ReturnType<typeof overviewOf>>

/** GET /cuenta */
export function accountRoutes({ persona }: AccountPages, deps: PageDeps): void {
  persona.get('', async (request, reply) => {
    const own = request.ctx
    if (own.all.length === 0) return page(reply, alonePage({ ctx: own }))
    const ctx = atAgency(own)
    const overview = await overviewOf(deps, ctx)
    const { shown } = overview.waiting
    if (shown.length > 0) {
      const { act, subject, detail } = auditOfRows(ctx, shown)
      await ctx.audit(act, subject, detail)
    }
    return page(reply, overviewPage({ ctx, ...overview }))
  })
}

function overviewPage({ ctx, ...shown }: Overview & { ctx: AgencyContext }) {
  const { agencia, account } = ctx
  const decides = agencia.rol === 'administrador'
  return (
    <AgencyPage
      ctx={ctx}
      title={agencia.nombre}
      intro={decides ? undefined : t('cuenta.overview.hello', { name: fullName(account), admin: agencia.adminMail })}
    >
      <div class="agency with-side">
        <div>
          <Waiting ctx={ctx} waiting={shown.waiting} objetivoMinutos={shown.objetivoMinutos} />
          <Daily daily={shown.daily} all={decides} />
        </div>
        <div>
          <h2>{t('cuenta.overview.package')}</h2>
          <PaqueteUse contracted={shown.contracted} />
          <h2>{t('cuenta.overview.apps')}</h2>
          <AppCards ctx={ctx} asociaciones={shown.asociaciones} heading="h3">
            {({ app }) => <ReadsSummary reads={shown.reads.get(app.id)} when={ctx} />}
          </AppCards>
          {shown.asociaciones.length > 0 && (
            <p>
              <a href={agencyPath(ctx, '/cuenta/apps')}>{t('cuenta.overview.appsMore')}</a>
            </p>
          )}
          <h2>{t('cuenta.overview.data')}</h2>
          <AgencyData agencia={agencia} country={ctx.country} />
          {decides && (
            <p>
              <a href="/cuenta/datos">{t('cuenta.overview.changeData')}</a>
            </p>
          )}
        </div>
      </div>
    </AgencyPage>
  )
}

type WaitingProps = Pick<Overview, 'waiting' | 'objetivoMinutos'> & { ctx: AgencyContext }

function Waiting({ ctx, waiting, objetivoMinutos }: WaitingProps) {
  const { shown, photos, count, more, searchedTo } = waiting
  const all = agencyPath(ctx, CONSULTAS)
  const newOnes = (antes?: string) => agencyPath(ctx, CONSULTAS, { estado: 'nueva', antes })
  if (count === 0)
    return (
      <>
        <h2>{t('cuenta.overview.new')}</h2>
        <p class="empty">
          {searchedTo === undefined
            ? t('cuenta.overview.none', { days: SHOWN_DAYS })
            : rich('cuenta.overview.noneYet', {
                moment: <Moment at={momentOf(searchedTo)} when={ctx} />,
                link: (text) => <a href={newOnes(searchedTo)}>{text}</a>,
              })}{' '}
          <a href={all}>{t('cuenta.overview.all')}</a>
        </p>
      </>
    )
  return (
    <>
      <h2>{t(more ? 'cuenta.overview.waitingMore' : 'cuenta.overview.waiting', { count })}</h2>
      <ConsultaCards rows={shown} photos={photos} ctx={ctx} objetivoMinutos={objetivoMinutos} />
      <p class="row">
        {(more || count > shown.length) && <ButtonLink href={newOnes()}>{t('cuenta.overview.seeNew')}</ButtonLink>}
        <SecondaryLink href={all}>{t('cuenta.overview.all')}</SecondaryLink>
      </p>
    </>
  )
}

function Daily({ daily, all }: Pick<Overview, 'daily'> & { all: boolean }) {
  if (daily.every(({ cantidad }) => cantidad === 0)) return null
  return (
    <Bars
      title={t(all ? 'cuenta.overview.daily' : 'cuenta.overview.dailyOwn')}
      labels={daily.map(({ dia }) => shortDay(new Date(`${dia}T00:00:00Z`), 'UTC'))}
      series={[{ label: t('cuenta.overview.series'), tone: 'accent', values: daily.map(({ cantidad }) => cantidad) }]}
    />
  )
}

/** The first page of a person who works at no agency. */
const alonePage = ({ ctx }: { ctx: AccountContext }) => (
  <PersonalPage
    ctx={ctx}
    title={t('cuenta.alone.title')}
    intro={t('cuenta.alone.hello', { name: fullName(ctx.account) })}
  >
    {ctx.account.staff && <p>{rich('cuenta.alone.staff', { link: (text) => <a href="/cuenta/acceso">{text}</a> })}</p>}
    {(ctx.account.staff || ctx.account.develops) && (
      <p class="row">
        {ctx.account.staff && <ButtonLink href="/consola">{t('cuenta.alone.console')}</ButtonLink>}
        {ctx.account.develops && <ButtonLink href="/portal">{t('cuenta.alone.portal')}</ButtonLink>}
      </p>
    )}
    {!ctx.account.staff && (
      <section class="empty">
        <h2>{t('cuenta.alone.heading')}</h2>
        <p>{t('cuenta.alone.ready')}</p>
        <ul>
          <li>{rich('cuenta.alone.join')}</li>
          <li>{rich('cuenta.alone.register')}</li>
        </ul>
      </section>
    )}
  </PersonalPage>
)
