import { fullName } from '../../../accounts/account.ts'
import { addDays, dayOf, periodOf } from '../../../http/dates.ts'
import type { Asociacion } from '../../../resources/agencias/agencia.ts'
import { type AppUsage, usageByApp } from '../../../resources/agencias/figures.ts'
import { findPackage, type PackageToday } from '../../../resources/agencias/packages.ts'
import { asociacionesOf } from '../../../resources/agencias/read.ts'
import type { Consulta } from '../../../resources/consultas/consulta.ts'
import { dailyConsultas } from '../../../resources/consultas/counts.ts'
import { searchConsultas } from '../../../resources/consultas/search.ts'
import { AgencyData, PackageUse } from '../../agency.tsx'
import { formatDay } from '../../format.tsx'
import { page } from '../../page.ts'
import { ButtonLink, SecondaryLink } from '../../parts.tsx'
import { Bars } from '../../plot.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { ReadsSummary, recentPeriod } from '../apps/reads.tsx'
import { auditOfRows, ConsultaCards, scopeOf } from '../consultas/list.tsx'
import {
  type AccountContext,
  type AccountPages,
  type AgencyContext,
  AgencyPage,
  atAgency,
  OwnPage,
  pathAt,
} from '../context.tsx'

const SHOWN_DAYS = 30
const MOST_WAITING = 5

/** GET /cuenta */
export function accountRoutes(app: AccountPages, deps: PageDeps): void {
  const { store, config } = deps

  async function overviewOf(ctx: AgencyContext): Promise<Overview> {
    const { agencia, now, timeZone } = ctx
    const hasta = dayOf(now, timeZone)
    const desde = addDays(hasta, 1 - SHOWN_DAYS)
    const scope = scopeOf(ctx)
    const wanted = { ...scope, period: periodOf(desde, hasta, timeZone), estado: 'nueva', page: 1 } as const
    const { rows, more, searchedTo } = await searchConsultas(store, wanted)
    const uncounted = more || (rows.length > 0 && searchedTo !== undefined)
    const waiting = { shown: rows.slice(0, MOST_WAITING), count: rows.length, more: uncounted }
    return {
      waiting,
      daily: await dailyConsultas(store, { ...scope, desde, hasta }),
      contracted: await findPackage(store, agencia.id, timeZone),
      asociaciones: await asociacionesOf(store, agencia.id),
      reads: await usageByApp(store, agencia.id, recentPeriod(ctx)),
      country: config.country,
    }
  }

  app.get('', async (request, reply) => {
    const own = request.ctx
    if (own.all.length === 0) return page(reply, alonePage({ ctx: own }))
    const ctx = atAgency(own)
    const overview = await overviewOf(ctx)
    const { shown } = overview.waiting
    if (shown.length > 0) {
      const { act, subject, detail } = auditOfRows(ctx, shown)
      await ctx.audit(act, subject, detail)
    }
    return page(reply, overviewPage({ ctx, ...overview }))
  })
}

interface Overview {
  /** The newest inquiries without an answer, their number, and whether there are more than were counted. */
  waiting: { shown: Consulta[]; count: number; more: boolean }
  daily: { dia: string; cantidad: number }[]
  contracted: PackageToday
  asociaciones: Asociacion[]
  reads: Map<number, AppUsage>
  country: string
}

/** The first page after signing in: inquiries without an answer, then the state of the agency. */
export function overviewPage({ ctx, ...shown }: Overview & { ctx: AgencyContext }) {
  const { agencia, account } = ctx
  const decides = agencia.rol === 'administrador'
  return (
    <AgencyPage
      ctx={ctx}
      section="/cuenta"
      title={agencia.nombre}
      lead={decides ? undefined : <p>{`Hola, ${fullName(account)}. La administra ${agencia.adminMail}.`}</p>}
    >
      <div class="agency with-side">
        <div>
          <Waiting ctx={ctx} waiting={shown.waiting} />
          <Daily daily={shown.daily} all={decides} />
        </div>
        <div>
          <h2>Paquete</h2>
          <PackageUse contracted={shown.contracted} />
          <h2>Apps asociadas</h2>
          <Apps ctx={ctx} asociaciones={shown.asociaciones} reads={shown.reads} />
          <h2>Datos de la agencia</h2>
          <AgencyData agencia={agencia} country={shown.country} />
          {decides && (
            <p>
              <a href="/cuenta/datos">Cambiar los datos</a>
            </p>
          )}
        </div>
      </div>
    </AgencyPage>
  )
}

function Waiting({ ctx, waiting: { shown, count, more } }: { ctx: AgencyContext; waiting: Overview['waiting'] }) {
  const all = pathAt(ctx, '/cuenta/consultas')
  if (count === 0)
    return (
      <>
        <h2>Consultas nuevas</h2>
        <p class="empty">
          Ninguna: está al día. <a href={all}>Ver todas las consultas</a>
        </p>
      </>
    )
  const many = more ? `Más de ${count}` : String(count)
  return (
    <>
      <h2>{count === 1 ? 'Una consulta nueva' : `${many} consultas nuevas`}</h2>
      <ConsultaCards rows={shown} ctx={ctx} />
      <p class="row">
        {count > shown.length && (
          <ButtonLink href={pathAt(ctx, '/cuenta/consultas', { estado: 'nueva' })}>Ver las nuevas</ButtonLink>
        )}
        <SecondaryLink href={all}>Ver todas las consultas</SecondaryLink>
      </p>
    </>
  )
}

/** Inquiries per day; nothing if there are none. */
function Daily({ daily, all }: Pick<Overview, 'daily'> & { all: boolean }) {
  if (daily.every(({ cantidad }) => cantidad === 0)) return null
  return (
    <Bars
      title={all ? 'Consultas por día' : 'Consultas a su cargo, por día'}
      labels={daily.map(({ dia }) => shortDay(dia))}
      series={[{ label: 'consultas', tone: 'accent', values: daily.map(({ cantidad }) => cantidad) }]}
    />
  )
}

function Apps({ ctx, asociaciones, reads }: Pick<Overview, 'asociaciones' | 'reads'> & { ctx: AgencyContext }) {
  if (asociaciones.length === 0)
    return (
      <p class="empty">
        Ninguna app trabaja hoy con la agencia. Para asociar una, use el enlace que le da el sistema con el que trabaja.
      </p>
    )
  return (
    <>
      <ul class="cards">
        {asociaciones.map(({ app, desde }) => (
          <li key={app.appKey} class="card">
            <h3>{app.nombre}</h3>
            <p class="hint">Desde el {formatDay(desde, ctx.timeZone)}</p>
            <ReadsSummary reads={reads.get(app.id)} when={ctx} />
          </li>
        ))}
      </ul>
      <p>
        <a href={pathAt(ctx, '/cuenta/apps')}>Ver qué puede hacer cada una</a>
      </p>
    </>
  )
}

/** A day as 14/3. */
const shortDay = (day: string): string => `${Number(day.slice(8))}/${Number(day.slice(5, 7))}`

/** The first page of a person who works at no agency. */
const alonePage = ({ ctx }: { ctx: AccountContext }) => (
  <OwnPage ctx={ctx} section="/cuenta" title="Mi cuenta" lead={<p>{`Hola, ${fullName(ctx.account)}.`}</p>}>
    {(ctx.account.staff || ctx.account.develops) && <Elsewhere account={ctx.account} />}
    <section class="empty">
      <h2>Todavía no trabaja en ninguna agencia</h2>
      <p>Su cuenta está lista. Para ver una agencia aquí:</p>
      <ul>
        <li>
          <strong>Si va a colaborar en una</strong>, pida a quien la administra que le invite con este mismo correo, y
          abra el enlace que le llega.
        </li>
        <li>
          <strong>Si quiere registrar la suya</strong>, pida una invitación en el sistema con el que trabaja.
        </li>
      </ul>
    </section>
  </OwnPage>
)

/** Links to the console and the portal, for people who use them. */
const Elsewhere = ({ account: { staff, develops } }: { account: AccountContext['account'] }) => (
  <p class="row">
    {staff && <ButtonLink href="/consola">Ir a la consola</ButtonLink>}
    {develops && <ButtonLink href="/portal">Ir al portal de sus apps</ButtonLink>}
  </p>
)
