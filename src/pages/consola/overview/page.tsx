import { MAX_COUNTED } from '../../../webhooks/status.ts'
import { inFigures, shortDay } from '../../format.tsx'
import { livePart } from '../../page.ts'
import { Bars } from '../../plot.tsx'
import { Stat, Stats, sumOf, UsagePlots } from '../../usage.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { Attention } from './attention.tsx'
import { type Figures, WEEK } from './figures.ts'

export const OVERVIEW = '/consola'
const EVERY_SECONDS = 20

interface Props {
  ctx: ConsoleContext
  figures: Figures
}

type PartProps = Props & { version: string }

/** The first page of the staff: how the market does, and what needs somebody. */
export const overviewPage = (props: PartProps) => (
  <ConsolePage ctx={props.ctx} title="Resumen" section={OVERVIEW} script>
    <Overview {...props} />
    <Days days={props.figures.days} />
  </ConsolePage>
)

/** The part that refreshes itself. Past days do not change and are only loaded with the page. */
export const Overview = ({ version, ctx, figures }: PartProps) => (
  <div id="resumen" {...livePart(`${OVERVIEW}?visto=${version}`, EVERY_SECONDS)}>
    <Attention ctx={ctx} figures={figures} />
    <h2 class="visually-hidden">El mercado, en cifras</h2>
    <FigureTiles ctx={ctx} figures={figures} />
    <UsagePlots periods={figures.hours} step="hour" timeZone={ctx.timeZone} />
  </div>
)

function FigureTiles({ ctx, figures: { agencias, nuevas, invitadas, days, hours, waiting } }: Props) {
  const today = days.at(-1)?.consultas ?? 0
  const before = days.slice(-WEEK, -1)
  const mean = before.reduce((sum, { consultas }) => sum + consultas, 0) / Math.max(1, before.length)
  const sum = sumOf(hours)
  return (
    <Stats>
      <Stat
        label="Agencias"
        value={inFigures(agencias)}
        href="/consola/agencias"
        hint={`${inFigures(nuevas)} nuevas en 30 días, ${inFigures(invitadas)} invitadas`}
      />
      <Stat
        label="Consultas hoy"
        value={inFigures(today)}
        href="/consola/consultas"
        hint={`${inFigures(Math.round(mean))} por día en la última semana`}
      />
      <Stat
        label="Entregas en 24 horas"
        value={inFigures(sum.entregadas)}
        href="/consola/entregas"
        hint={`${inFigures(sum.intentos_fallidos)} intentos fallidos, ${inFigures(sum.abandonadas)} abandonadas`}
      />
      <Stat
        label="Sin entregar"
        value={waiting.count >= MAX_COUNTED ? `más de ${inFigures(MAX_COUNTED)}` : inFigures(waiting.count)}
        href="/consola/entregas?estado=pendiente"
        hint={waiting.oldest ? `la más antigua espera hace ${ago(waiting.oldest, ctx.now)}` : 'nada espera'}
      />
    </Stats>
  )
}

function Days({ days }: Pick<Figures, 'days'>) {
  return (
    <Bars
      title="Consultas por día"
      labels={days.map(({ dia }) => shortDay(new Date(`${dia}T00:00:00Z`), 'UTC'))}
      series={[{ label: 'consultas', tone: 'accent', values: days.map(({ consultas }) => consultas) }]}
    />
  )
}

const UNITS = [
  ['día', 86_400],
  ['hora', 3_600],
  ['minuto', 60],
  ['segundo', 1],
] as const

/** How long ago, in the largest unit that says something. */
export function ago(then: Date, now: Date): string {
  const seconds = Math.max(1, Math.floor((now.getTime() - then.getTime()) / 1000))
  const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? UNITS[3]
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
