import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Writes packaging/grafana/rodado.json; with --check it only says whether that file is current.

export const DASHBOARD_FILE = fileURLToPath(new URL('../packaging/grafana/rodado.json', import.meta.url))

interface Panel {
  title: string
  type?: 'timeseries' | 'stat' | 'table'
  unit?: string
  /** The width; a row has 24. */
  width?: number
  description?: string
  /** PromQL by the legend of its series. */
  queries: Record<string, string>
}

const HEIGHT = 8
const ROW = 24
const DATASOURCE = { type: 'prometheus', uid: '$datasource' }
/** The nodes chosen at the top of the dashboard. */
const NODES = 'instance=~"$instance"'

const http = (labels = '') => `rodado_http_request_duration_seconds_count{${NODES}${labels}}`
const quantile = (share: number, metric: string, by = '') =>
  `histogram_quantile(${share}, sum by (le${by}) (rate(${metric}_bucket{${NODES}}[$__rate_interval])))`

const ROWS: Record<string, Panel[]> = {
  'At a glance': [
    {
      title: 'Nodes',
      type: 'stat',
      width: 4,
      queries: { '{{role}} {{version}}': `count by (role, version) (rodado_build_info{${NODES}})` },
    },
    {
      title: 'Requests per second',
      type: 'stat',
      width: 4,
      unit: 'reqps',
      queries: { '': `sum(rate(${http()}[$__rate_interval]))` },
    },
    {
      title: '5xx',
      type: 'stat',
      width: 4,
      unit: 'percentunit',
      queries: {
        // Without a failure there is no such series.
        '': `(sum(rate(${http(',status=~"5.."')}[$__rate_interval])) or vector(0)) / sum(rate(${http()}[$__rate_interval]))`,
      },
    },
    {
      title: 'Oldest due row',
      type: 'stat',
      width: 4,
      unit: 's',
      queries: { '{{table}}': 'max by (table) (rodado_outbox_behind_seconds)' },
    },
    {
      title: 'Last backup',
      type: 'stat',
      width: 4,
      unit: 's',
      queries: { '': 'time() - max(rodado_backup_last_success_timestamp_seconds)' },
    },
    {
      title: 'Certificate expires in',
      type: 'stat',
      width: 4,
      unit: 's',
      queries: { '': 'min(rodado_certificate_expiry_timestamp_seconds) - time()' },
    },
  ],
  Requests: [
    {
      title: 'By status',
      unit: 'reqps',
      queries: { '{{status}}': `sum by (status) (rate(${http()}[$__rate_interval]))` },
    },
    {
      title: 'Duration',
      unit: 's',
      queries: {
        p50: quantile(0.5, 'rodado_http_request_duration_seconds'),
        p95: quantile(0.95, 'rodado_http_request_duration_seconds'),
        p99: quantile(0.99, 'rodado_http_request_duration_seconds'),
      },
    },
    {
      title: 'Slowest routes, p95',
      unit: 's',
      queries: {
        '{{method}} {{route}}': `topk(10, ${quantile(0.95, 'rodado_http_request_duration_seconds', ', method, route')})`,
      },
    },
    {
      title: 'Refused because of overload',
      unit: 'reqps',
      queries: { '{{instance}}': `sum by (instance) (rate(rodado_http_shed_total{${NODES}}[$__rate_interval]))` },
    },
  ],
  'Webhooks and emails': [
    {
      title: 'Waiting',
      description: 'Above 10,000 it is an estimate.',
      queries: { '{{table}}': 'max by (table) (rodado_outbox_queued)' },
    },
    {
      title: 'Age of the oldest due row',
      unit: 's',
      queries: { '{{table}}': 'max by (table) (rodado_outbox_behind_seconds)' },
    },
    {
      title: 'Attempts by outcome',
      unit: 'ops',
      queries: {
        '{{table}} {{outcome}}': `sum by (table, outcome) (rate(rodado_outbox_attempt_duration_seconds_count{${NODES}}[$__rate_interval]))`,
      },
    },
    {
      title: 'From event to delivery',
      unit: 's',
      queries: {
        p50: quantile(0.5, 'rodado_delivery_latency_seconds'),
        p95: quantile(0.95, 'rodado_delivery_latency_seconds'),
      },
    },
    { title: 'In flight', queries: { '{{instance}} {{table}}': `rodado_outbox_in_flight{${NODES}}` } },
    { title: 'Webhooks by health', queries: { '{{estado}}': 'max by (estado) (rodado_webhooks)' } },
  ],
  Database: [
    {
      title: 'Slowest statements, p95',
      unit: 's',
      queries: {
        '{{statement}}': `topk(10, ${quantile(0.95, 'rodado_db_statement_duration_seconds', ', statement')})`,
      },
    },
    {
      title: 'Busiest statements',
      description: 'Seconds of waiting for the database per second.',
      queries: {
        '{{statement}}': `topk(10, sum by (statement) (rate(rodado_db_statement_duration_seconds_sum{${NODES}}[$__rate_interval])))`,
      },
    },
    {
      title: 'Connections',
      queries: {
        '{{instance}} in use': `rodado_db_pool_open{${NODES}} - rodado_db_pool_idle{${NODES}}`,
        '{{instance}} at most': `rodado_db_pool_max{${NODES}}`,
      },
    },
    { title: 'Waiting for a connection', queries: { '{{instance}}': `rodado_db_pool_waiting{${NODES}}` } },
    {
      title: 'Failed statements',
      unit: 'ops',
      queries: {
        '{{statement}} {{code}}': `sum by (statement, code) (rate(rodado_db_statement_errors_total{${NODES}}[$__rate_interval]))`,
      },
    },
    { title: 'Replica lag', unit: 's', queries: { '{{replica}}': 'max by (replica) (rodado_replica_lag_seconds)' } },
  ],
  Processes: [
    {
      title: 'Event loop lag, p99',
      unit: 's',
      queries: { '{{instance}}': `nodejs_eventloop_lag_p99_seconds{${NODES}}` },
    },
    {
      title: 'CPU',
      unit: 'percentunit',
      queries: { '{{instance}}': `rate(process_cpu_seconds_total{${NODES}}[$__rate_interval])` },
    },
    { title: 'Memory', unit: 'bytes', queries: { '{{instance}}': `process_resident_memory_bytes{${NODES}}` } },
    {
      title: 'Disk of DATA_DIR, free',
      unit: 'bytes',
      queries: { '{{instance}}': `rodado_disk_bytes{state="free",${NODES}}` },
    },
    {
      title: 'Scheduled tasks: time since the last success',
      unit: 's',
      width: 24,
      queries: { '{{task}}': 'time() - max by (task) (rodado_task_last_success_timestamp_seconds)' },
    },
  ],
}

function panelOf(
  { title, type = 'timeseries', unit = 'short', description, queries }: Panel,
  id: number,
  gridPos: object,
) {
  return {
    id,
    title,
    type,
    gridPos,
    datasource: DATASOURCE,
    ...(description && { description }),
    targets: Object.entries(queries).map(([legendFormat, expr], at) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + at),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  }
}

function layOut() {
  const panels: object[] = []
  let y = 0
  for (const [title, row] of Object.entries(ROWS)) {
    panels.push({
      id: panels.length + 1,
      title,
      type: 'row',
      collapsed: false,
      gridPos: { x: 0, y: y++, w: ROW, h: 1 },
      panels: [],
    })
    let x = 0
    for (const panel of row) {
      const w = panel.width ?? ROW / 2
      if (x + w > ROW) {
        x = 0
        y += HEIGHT
      }
      panels.push(panelOf(panel, panels.length + 1, { x, y, w, h: HEIGHT }))
      x += w
    }
    y += HEIGHT
  }
  return panels
}

const variable = (name: string, more: object) => ({ name, hide: 0, ...more })

/** The dashboard as Grafana imports it, from version 9 on. */
const dashboard = () => ({
  uid: 'rodado',
  title: 'Rodado',
  tags: ['rodado'],
  timezone: 'browser',
  schemaVersion: 38,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [
      variable('datasource', { type: 'datasource', query: 'prometheus', label: 'Prometheus' }),
      variable('instance', {
        type: 'query',
        label: 'Node',
        datasource: DATASOURCE,
        refresh: 2,
        multi: true,
        includeAll: true,
        query: 'label_values(rodado_build_info, instance)',
        current: { text: 'All', value: '$__all' },
      }),
    ],
  },
  annotations: { list: [] },
  panels: layOut(),
})

export const dashboardText = () => `${JSON.stringify(dashboard(), null, 2)}\n`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) writeFileSync(DASHBOARD_FILE, dashboardText())
  else if (readFileSync(DASHBOARD_FILE, 'utf8') !== dashboardText()) {
    console.error('packaging/grafana/rodado.json is not current: npm run dashboard')
    process.exitCode = 1
  }
}
