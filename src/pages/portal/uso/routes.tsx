import type { App, GeneralLimits } from '../../../apps/app.ts'
import { type UsageBucket, usageOf } from '../../../apps/usage-store.ts'
import { formatPolicy } from '../../../http/limits.ts'
import { invitesOfDay } from '../../../resources/agencias/figures.ts'
import { sendCsv } from '../../csv.ts'
import { formatNumber, formatPercent } from '../../format.tsx'
import { page } from '../../page.ts'
import { type WithQuery, wantsCsv } from '../../params.ts'
import { Code, Section } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { type Column, Pager } from '../../table.tsx'
import { Stat, Stats, type Step, sumOf, UsagePlots } from '../../usage.tsx'
import { type PortalContext, PortalPage, type PortalPages } from '../context.tsx'

/** /portal/{AppKey}/uso */
export function usageRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, config } = deps

  app.get<WithQuery>('/uso', async ({ ctx, query }, reply) => {
    const step = query.por === SPANS.day.por ? 'day' : 'hour'
    const period = { appId: ctx.app.id, step, count: SPANS[step].count, timeZone: config.timeZone } as const
    const [periods, invited] = await Promise.all([usageOf(await ctx.reader(), period), invitesOfDay(store, ctx.app)])
    if (wantsCsv(query)) return sendCsv(reply, `uso-por-${SPANS[step].por}`, USAGE_COLUMNS, periods)
    return page(reply, usagePage({ ctx, step, periods, limits: limitsOf(ctx.app, config), invited }))
  })
}

const limitsOf = ({ limits }: App, defaults: GeneralLimits): GeneralLimits => ({
  ratePerSecond: limits.ratePerSecond ?? defaults.ratePerSecond,
  rateBurst: limits.rateBurst ?? defaults.rateBurst,
  invitesPerDay: limits.invitesPerDay ?? defaults.invitesPerDay,
})

const SPANS: Record<Step, { por: string; count: number; label: string; link: string }> = {
  hour: { por: 'hora', count: 48, label: 'las últimas 48 horas', link: 'Por hora, 48 horas' },
  day: { por: 'dia', count: 30, label: 'los últimos 30 días', link: 'Por día, 30 días' },
}

interface UsageProps {
  ctx: PortalContext
  step: Step
  periods: readonly UsageBucket[]
  limits: GeneralLimits
  invited: number
}

function usagePage({ ctx, step, periods, limits, invited }: UsageProps) {
  const sum = sumOf(periods)
  return (
    <PortalPage ctx={ctx} section="/uso" title="Uso y límites" actions={<Choice ctx={ctx} step={step} />}>
      <h2 class="visually-hidden">Uso de {SPANS[step].label}</h2>
      <Stats>
        <Stat label="Solicitudes" value={sum.solicitudes} hint={`en ${SPANS[step].label}`} />
        <Stat
          label="Sin cambios (304)"
          value={formatPercent(sum.sin_cambios, sum.solicitudes)}
          hint="no gastan el límite"
        />
        <Stat label="Con error (4xx)" value={formatPercent(sum.errores, sum.solicitudes)} hint="algo que corregir" />
        <Stat label="Sobre el límite (429)" value={sum.limitadas} hint="espere lo que dice Retry-After" />
        <Stat label="Fallas nuestras (5xx)" value={sum.fallas} hint="puede repetirlas" />
      </Stats>
      <Stats>
        <Stat label="Notificaciones entregadas" value={sum.entregadas} href={`${ctx.basePath}/entregas`} />
        <Stat label="Intentos fallidos" value={sum.intentos_fallidos} hint="se repiten solos" />
        <Stat
          label="Notificaciones abandonadas"
          value={sum.abandonadas}
          href={`${ctx.basePath}/entregas?estado=fallida`}
        />
      </Stats>
      <UsagePlots periods={periods} step={step} timeZone={ctx.timeZone} />
      <Pager csv={`${ctx.basePath}/uso?por=${SPANS[step].por}&formato=csv`} />
      <LimitsSection limits={limits} invited={invited} />
    </PortalPage>
  )
}

const Choice = ({ ctx, step }: Pick<UsageProps, 'ctx' | 'step'>) => (
  <nav aria-label="Período" class="row">
    {(Object.keys(SPANS) as Step[]).map((each) => (
      <a
        key={each}
        class="button secondary"
        href={`${ctx.basePath}/uso?por=${SPANS[each].por}`}
        aria-current={each === step ? 'true' : undefined}
      >
        {SPANS[each].link}
      </a>
    ))}
  </nav>
)

const LimitsSection = ({ limits, invited }: Pick<UsageProps, 'limits' | 'invited'>) => (
  <Section title="Lo que su app puede pedir">
    <Stats>
      <Stat label="solicitudes por segundo" value={limits.ratePerSecond} hint="sostenidas, en cada nodo" />
      <Stat label="seguidas, de golpe" value={limits.rateBurst} hint="después, a ese ritmo" />
      <Stat
        label="invitaciones en 24 horas"
        value={`${formatNumber(invited)} de ${formatNumber(limits.invitesPerDay)}`}
        hint={
          invited < limits.invitesPerDay ? `le quedan ${formatNumber(limits.invitesPerDay - invited)}` : 'ya las usó'
        }
      />
    </Stats>
    <p>
      Cada respuesta dice cuánto le queda. <code>r</code> son las solicitudes que puede hacer ahora mismo, y{' '}
      <code>t</code> los segundos hasta tener de nuevo todas:
    </p>
    <Code label="Encabezados de una respuesta">{`RateLimit-Policy: ${formatPolicy('app', { burst: limits.rateBurst, perSecond: limits.ratePerSecond })}
RateLimit: "app";r=${limits.rateBurst - 1};t=1`}</Code>
    <ul>
      <li>
        Una respuesta <strong>304</strong> devuelve lo que gastó: con <code>If-None-Match</code> puede preguntar hasta
        diez veces más.
      </li>
      <li>
        Un <a href="/problemas/demasiadas-solicitudes">429</a> trae <code>Retry-After</code>: espere esos segundos y
        repita. No se perdió nada.
      </li>
      <li>¿Necesita más? Pídalo al mercado: el límite se cambia por app, y rige enseguida.</li>
    </ul>
  </Section>
)

const USAGE_COLUMNS: readonly Column<UsageBucket>[] = [
  { head: 'Desde', text: ({ desde }) => desde },
  { head: 'Solicitudes', text: ({ solicitudes }) => solicitudes },
  { head: 'Sin cambios (304)', text: ({ sin_cambios }) => sin_cambios },
  { head: 'Con error (4xx)', text: ({ errores }) => errores },
  { head: 'Sobre el límite (429)', text: ({ limitadas }) => limitadas },
  { head: 'Fallas (5xx)', text: ({ fallas }) => fallas },
  { head: 'Notificaciones entregadas', text: ({ entregadas }) => entregadas },
  { head: 'Intentos fallidos', text: ({ intentos_fallidos }) => intentos_fallidos },
  { head: 'Notificaciones abandonadas', text: ({ abandonadas }) => abandonadas },
]
