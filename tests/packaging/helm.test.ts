import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'

const execute = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CHART = `${ROOT}packaging/helm/rodado`
const DIGEST = `sha256:${'a'.repeat(64)}`
/** Everything that the chart can make. */
const ALL = [
  '--kube-version=1.31.0', // a helm built by `go install` knows only an old one
  '--set',
  `image.digest=${DIGEST}`,
  '--set',
  'settings.COUNTRY=UY',
  '--set',
  'settings.PG_POOL=30',
  '--set',
  'ingress.enabled=true',
  '--set',
  'metrics.serviceMonitor.enabled=true',
  '--set',
  'metrics.serviceMonitor.token=true',
]

function missing(program: string, ...args: string[]): string | false {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return false
  } catch {
    return `${program} is not installed`
  }
}

interface Resource {
  kind: string
  metadata: { name: string; annotations?: Record<string, string>; labels: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: as Kubernetes defines it
  spec: any
}

const render = async (...args: string[]): Promise<Resource[]> => {
  const { stdout } = await execute('helm', ['template', 'mercado', CHART, ...args])
  return parseAllDocuments(stdout).map((document) => document.toJS())
}

describe('the Helm chart', () => {
  it('has the version of the server', () => {
    const { version, appVersion } = parse(readFileSync(`${CHART}/Chart.yaml`, 'utf8'))
    const server = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).version
    assert.deepEqual([version, appVersion], [server, server])
  })

  describe('rendered', { skip: missing('helm', 'version') }, () => {
    it('passes helm lint --strict', async () => {
      await execute('helm', ['lint', '--strict', CHART, ...ALL])
    })

    it('has deployments of both roles, a migration before them, budgets, probes and a ServiceMonitor', async () => {
      const resources = await render(...ALL)
      const named = (kind: string) => resources.filter((each) => each.kind === kind)
      const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()
      assert.deepEqual(names, [
        'Deployment mercado-api',
        'Deployment mercado-worker',
        'Ingress mercado-api',
        'Job mercado-migrate',
        'PodDisruptionBudget mercado-api',
        'PodDisruptionBudget mercado-worker',
        'Service mercado-api',
        'Service mercado-metrics',
        'ServiceMonitor mercado-metrics',
      ])
      assert.equal(named('Job')[0]?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
      for (const { spec, metadata } of [...named('Deployment'), ...named('Job')]) {
        const { containers, securityContext } = spec.template.spec
        assert.equal(securityContext.runAsNonRoot, true, metadata.name)
        assert.equal(containers[0].securityContext.readOnlyRootFilesystem, true, metadata.name)
        assert.equal(containers[0].image, `registry.example.com/rodado@${DIGEST}`)
        const env = Object.fromEntries(
          containers[0].env.map((each: { name: string; value: string }) => [each.name, each.value]),
        )
        assert.deepEqual([env.COUNTRY, env.PG_POOL, env.PUBLIC_URL], ['UY', '30', 'https://api.example.com'])
      }
      for (const { spec } of named('Deployment')) {
        const [container] = spec.template.spec.containers
        for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
          assert.ok(container[probe]?.httpGet, probe)
      }
      const { selector, jobLabel } = named('ServiceMonitor')[0]?.spec ?? {}
      const selected = selector?.matchLabels
      const labels = named('Service').find(({ metadata }) => metadata.name === 'mercado-metrics')?.metadata.labels
      assert.deepEqual({ ...labels, ...selected }, labels)
      assert.equal(labels?.[jobLabel], 'rodado', 'the alert rules expect a job whose name begins so')
    })

    it('refuses a value that it does not know', () => assert.rejects(render('--set', 'settings.PORT=80'), /settings/))

    it('passes kubeconform -strict', { skip: missing('kubeconform', '-v') }, async (t) => {
      const location = process.env.KUBERNETES_SCHEMAS // a folder of schemas, as -schema-location takes it
      const options = ['-strict', '-skip', 'ServiceMonitor', ...(location ? ['-schema-location', location] : [])]
      const checking = execute('kubeconform', options)
      checking.child.stdin?.end((await execute('helm', ['template', 'mercado', CHART, ...ALL])).stdout)
      await checking.catch((error: Error & { stdout: string }) => {
        if (location || !/could not (find|download) schema|failed downloading/.test(error.stdout)) throw error
        t.skip('kubeconform reaches no schemas; KUBERNETES_SCHEMAS may name a folder with them')
      })
    })
  })
})
