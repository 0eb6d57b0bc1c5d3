import { scaleLinear } from 'd3-scale'
import { t } from '../i18n/messages.tsx'
import { formatCompact, formatNumber } from './format.tsx'

/** One kind of thing that is counted, with its colour of the stylesheet. */
export interface Series {
  label: string
  tone: 'accent' | 'red' | 'amber' | 'blue'
  values: readonly number[]
}

interface BarsProps {
  title: string
  /** What each bar is of: days, hours; as people read them. */
  labels: readonly string[]
  /** Short labels for below the bars; without them, the labels. */
  marks?: readonly string[]
  /** Stacked, the first at the bottom. */
  series: readonly Series[]
}

/**
 * Pixels. Across, bars are placed by percent: a drawing is as wide as its card, and as high and its words as large on every
 * screen. The stylesheet leaves room on the left for the figures of the axis.
 */
const HEIGHT = 180
const MARGIN = { top: 12, bottom: 22 }
const TICKS = 4
const MAX_LABELS = 8
/** Between bars, of what each has. */
const GAP = 0.2

/** Counts over time as bars. Scripts show what a bar says (assets/app.js), else its title does. The figures follow as a table. */
export function Bars({ title, labels, marks = labels, series }: BarsProps) {
  const totals = labels.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))
  const y = scaleLinear([0, Math.max(1, ...totals)], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(TICKS)
  // By its place and not by its name: the hour that clocks go back to comes twice.
  const step = 100 / (labels.length + GAP)
  const x = (at: number): number => step * (at + GAP)
  const wide = step * (1 - GAP)
  const every = Math.ceil(labels.length / MAX_LABELS)
  if (totals.every((total) => total === 0))
    return (
      <figure class="plot">
        <figcaption>{title}</figcaption>
        <p class="hint">{t('comun.plot.empty')}</p>
      </figure>
    )
  return (
    <figure class="plot">
      <figcaption>
        {title}
        {series.length > 1 && <Legend series={series} />}
      </figcaption>
      <svg height={HEIGHT} role="img" aria-label={`${title}: ${summarize(labels, totals)}`}>
        {y
          .ticks(TICKS)
          .filter(Number.isInteger)
          .map((tick) => (
            <g key={tick}>
              <line class="grid" x2="100%" y1={tenth(y(tick))} y2={tenth(y(tick))} />
              <text x={-6} y={tenth(y(tick) + 4)} text-anchor="end">
                {formatCompact(tick)}
              </text>
            </g>
          ))}
        {labels.map((label, at) => {
          let foot = 0
          const beforeLast = labels.length - 1 - at
          return (
            <g key={label} class="bar">
              <title>
                {[label, ...series.map((each) => `${formatNumber(each.values[at] ?? 0)} ${each.label}`)].join('\n')}
              </title>
              <rect
                class="hit"
                x={percent(x(at) - (step * GAP) / 2)}
                width={percent(step)}
                y={MARGIN.top}
                height={HEIGHT - MARGIN.bottom - MARGIN.top}
              />
              {series.map(({ label: name, tone, values }) => {
                const from = foot
                const to = foot + (values[at] ?? 0)
                foot = to
                return (
                  to > from && (
                    <rect
                      key={name}
                      class={`tone-${tone}`}
                      x={percent(x(at))}
                      width={percent(wide)}
                      y={tenth(y(to))}
                      height={tenth(y(from) - y(to))}
                    />
                  )
                )
              })}
              {beforeLast % every === 0 && (
                <text
                  class={beforeLast % (2 * every) === 0 ? 'below-bar' : 'below-bar second'}
                  x={percent(x(at) + wide / 2)}
                  y={HEIGHT - MARGIN.bottom + 8}
                  text-anchor="middle"
                >
                  {marks[at]}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <details>
        <summary>{t('comun.plot.figures')}</summary>
        <section class="table-scroll" tabindex={0} aria-label={title}>
          <Figures labels={labels} series={series} />
        </section>
      </details>
    </figure>
  )
}

const Legend = ({ series }: Pick<BarsProps, 'series'>) => (
  <span class="legend">
    {series.map(({ label, tone }) => (
      <span key={label} class={`tone-${tone}`}>
        {label}
      </span>
    ))}
  </span>
)

const Figures = ({ labels, series }: Pick<BarsProps, 'labels' | 'series'>) => (
  <table>
    <thead>
      <tr>
        <th scope="col">{t('comun.plot.when')}</th>
        {series.map(({ label }) => (
          <th key={label} scope="col" class="number">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {labels.map((label, at) => (
        <tr key={label}>
          <td>{label}</td>
          {series.map(({ label: name, values }) => (
            <td key={name} class="number">
              {formatNumber(values[at] ?? 0)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

function summarize(labels: readonly string[], totals: readonly number[]): string {
  const sum = totals.reduce((all, each) => all + each, 0)
  const most = Math.max(...totals)
  const when = labels[totals.indexOf(most)]
  return t('comun.plot.summary', { total: formatNumber(sum), most: formatNumber(most), when })
}

/** No screen shows more, and long fractions make the page longer. */
const tenth = (value: number): number => Math.round(value * 10) / 10
const percent = (value: number): string => `${Math.round(value * 100) / 100}%`
