import { performance } from 'node:perf_hooks'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { StatementObserver, Store } from './db.ts'
import { statementName } from './statement-name.ts'

const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3]

/** Measures statements by name. Those on the pool include the wait for a connection. */
export function measureStatements(registry: Registry): StatementObserver {
  const durations = new Histogram({
    name: 'rodado_db_statement_duration_seconds',
    help: 'Database statements by name, including the wait for a connection.',
    labelNames: ['statement'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const errors = new Counter({
    name: 'rodado_db_statement_errors_total',
    help: 'Database statements that failed, by name.',
    labelNames: ['statement'],
    registers: [registry],
  })
  return (text) => {
    const startedMs = performance.now()
    return (error) => {
      const statement = statementName(text)
      durations.observe({ statement }, (performance.now() - startedMs) / 1000)
      if (error) errors.inc({ statement })
    }
  }
}

export function measurePool(registry: Registry, { connections }: Pick<Store, 'connections'>): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('rodado_db_pool_max', 'Connections this process may open.', () => connections().max)
  gauge('rodado_db_pool_open', 'Open connections.', () => connections().open)
  gauge('rodado_db_pool_idle', 'Open connections that nothing uses.', () => connections().idle)
  gauge(
    'rodado_db_pool_waiting',
    'Statements and transactions that wait for a connection.',
    () => connections().waiting,
  )
}
