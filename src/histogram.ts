import type { Metric, Registry } from 'prom-client'

type Labels = Record<string, string | number>

/** What is counted under one set of labels. Whoever counts often keeps it. */
export interface Series {
  observe(seconds: number): void
}

interface Counted {
  labels: Labels
  /** How many fell between each bound and the one before; the last has no bound. */
  counts: number[]
  sum: number
}

/**
 * A Prometheus histogram that costs whoever counts an addition: prom-client's own looks every series up by its sorted
 * labels and walks all bounds, which took more than routing a request, and a twentieth of a delivery. A Registry reads it
 * like any other metric.
 */
export class Histogram {
  readonly name: string
  readonly help: string
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly #bounds: readonly number[]
  readonly #all: Counted[] = []

  constructor(registry: Registry, name: string, help: string, bounds: readonly number[]) {
    this.name = name
    this.help = help
    this.#bounds = bounds
    registry.registerMetric(this as object as Metric)
  }

  series(labels: Labels): Series {
    const bounds = this.#bounds
    const counted: Counted = { labels, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 }
    this.#all.push(counted)
    return {
      observe(seconds) {
        let bucket = 0
        while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++
        counted.counts[bucket] = (counted.counts[bucket] ?? 0) + 1
        counted.sum += seconds
      },
    }
  }

  /** What a Registry asks for. */
  async get() {
    const values = this.#all.flatMap((counted) => this.#valuesOf(counted))
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values }
  }

  #valuesOf({ labels, counts, sum }: Counted) {
    let total = 0
    const buckets = counts.map((count, index) => {
      total += count
      const le = this.#bounds[index] ?? '+Inf'
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le }, value: total }
    })
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total },
    ]
  }

  reset(): void {
    for (const counted of this.#all) [counted.counts, counted.sum] = [counted.counts.map(() => 0), 0]
  }
}
