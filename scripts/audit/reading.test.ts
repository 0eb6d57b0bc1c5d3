import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { judge, type Part } from '../../drills/trust/verdict.ts'
import { compiledProgram } from '../../tests/support/compiled-program.ts'
import { readAudit } from './reading.ts'

/** As npm 11 prints them. */
const NONE = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 }
const DEPENDENCIES = { prod: 130, dev: 159, optional: 77, peer: 0, peerOptional: 0, total: 310 }
const CLEAN = {
  auditReportVersion: 2,
  vulnerabilities: {},
  metadata: { vulnerabilities: NONE, dependencies: DEPENDENCIES },
}
const ADVISORY = {
  source: 1097678,
  name: 'minimist',
  dependency: 'minimist',
  title: 'Prototype Pollution in minimist',
  url: 'https://github.com/advisories/GHSA-xvch-5gv4-984h',
  severity: 'critical',
  range: '<0.2.4',
}
const VULNERABLE = {
  ...CLEAN,
  vulnerabilities: {
    minimist: {
      name: 'minimist',
      severity: 'critical',
      isDirect: false,
      via: [ADVISORY],
      effects: ['mkdirp'],
      range: '<=0.2.3',
      nodes: ['node_modules/minimist', 'node_modules/tar/node_modules/minimist'],
    },
    mkdirp: {
      name: 'mkdirp',
      severity: 'critical',
      isDirect: true,
      via: ['minimist'],
      effects: [],
      range: '0.4.1 - 0.5.1',
      nodes: ['node_modules/mkdirp'],
      fixAvailable: true,
    },
  },
  metadata: { vulnerabilities: { ...NONE, critical: 2, total: 2 }, dependencies: DEPENDENCIES },
}
const uri = 'https://registry.example/-/npm/v1/security/advisories/bulk'
const refused = (statusCode: number, words: string) => ({
  message: `${statusCode} ${words} - POST ${uri}`,
  method: 'POST',
  uri,
  headers: { allow: ['GET,HEAD'] },
  statusCode,
  body: '',
  error: { summary: '', detail: '' },
})
const OUT_OF_REACH = {
  message: `request to ${uri} failed, reason: connect ECONNREFUSED 127.0.0.1:4992`,
  error: { summary: '', detail: '' },
}

const read = (printed: object) => readAudit(JSON.stringify(printed))

describe('npm audit: reading its output', () => {
  it('clean: packages were checked and nothing was found', () => {
    assert.deepEqual(read(CLEAN), { kind: 'clean', packages: 310 })
  })

  it('each vulnerability has its name, severity, path and advisory', () => {
    const audit = read(VULNERABLE)
    assert.deepEqual(audit, {
      kind: 'vulnerable',
      found: [
        'minimist (critical) at node_modules/minimist, node_modules/tar/node_modules/minimist: Prototype Pollution in minimist <https://github.com/advisories/GHSA-xvch-5gv4-984h>',
        'mkdirp (critical) at node_modules/mkdirp: by minimist',
      ],
    })
  })

  it('skipped: a registry without audits, or out of reach', () => {
    for (const printed of [
      refused(405, 'Method Not Allowed'),
      refused(404, 'Not Found'),
      refused(501, 'Not Implemented'),
      OUT_OF_REACH,
      { message: 'nothing there', error: { code: 'ENOTFOUND', summary: '', detail: '' } },
    ])
      assert.equal(read(printed).kind, 'not offered', JSON.stringify(printed))
  })

  it('any other output is neither clean nor skipped', () => {
    for (const printed of [
      {},
      [],
      refused(500, 'Internal Server Error'),
      refused(401, 'Unauthorized'),
      { error: { code: 'ENOLOCK', summary: 'This command requires an existing lockfile.', detail: '' } },
      { ...CLEAN, auditReportVersion: 3 },
      { ...CLEAN, metadata: { vulnerabilities: { ...NONE, total: 1 }, dependencies: DEPENDENCIES } },
      { ...CLEAN, metadata: { vulnerabilities: NONE, dependencies: { ...DEPENDENCIES, total: 0 } } },
    ])
      assert.equal(read(printed).kind, 'unreadable', JSON.stringify(printed))
    for (const said of ['', 'npm: spawn npm ENOENT', '{ half', 'null', '7'])
      assert.equal(readAudit(said).kind, 'unreadable', said)
  })
})

describe('npm run audit:check: by the registry’s answer', () => {
  let registry: Server
  /** The registry's answer to a request for advisories. */
  let answers: { status: number; body: string }
  before(async () => {
    registry = createServer((request, response) => {
      request.resume()
      const { status, body } = request.method === 'POST' ? answers : { status: 404, body: '{}' }
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    await once(registry.listen(0, '127.0.0.1'), 'listening')
  })
  after(() => registry.close())

  /** Runs it as `npm run trust` does. */
  const PART: Part = {
    name: 'audit',
    args: [],
    timeoutS: 60,
    injects: false,
    shows: [],
    clean: ['faults'],
    canSkip: true,
  }
  async function check(status: number, body: object): Promise<{ code: number | null; said: string; verdict: string }> {
    answers = { status, body: JSON.stringify(body) }
    const { port } = registry.address() as AddressInfo
    const child = spawn(process.execPath, [compiledProgram('audit'), '--json'], {
      env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
    const lines = said.trim().split('\n')
    const last = lines.findLast((line) => line.startsWith('{')) ?? ''
    const printedSkipped = lines.some((line) => line.startsWith('SKIPPED'))
    const { verdict } = judge(PART, { code: child.exitCode, last, printedSkipped, timedOut: false })
    return { code: child.exitCode, said, verdict }
  }

  it('passed: nothing is known', async () => {
    const { code, said, verdict } = await check(200, {})
    assert.deepEqual([code, verdict], [0, 'passed'])
    assert.match(said, /Nothing is known/)
  })

  it('FAILED: vulnerabilities in a production and in a development package, with their paths', async () => {
    const { title, url } = ADVISORY
    const known = { id: 1, url, title, severity: 'high', vulnerable_versions: '<9999' }
    const { code, said, verdict } = await check(200, { pg: [known], tsx: [{ ...known, severity: 'low' }] })
    assert.deepEqual([code, verdict], [1, 'FAILED'])
    assert.match(said, /known in production: pg \(high\) at node_modules\/pg: Prototype Pollution in minimist </)
    assert.match(said, /known in all: [^\n]*tsx \(low\)/)
    assert.doesNotMatch(said, /known in production: [^\n]*tsx/)
  })

  it('skipped: the registry offers no audits', async () => {
    const { code, said, verdict } = await check(405, {})
    assert.deepEqual([code, verdict], [0, 'skipped'])
    assert.match(said, /^SKIPPED: the registry offers no audit \(405 /)
  })

  it('FAILED: the registry has a temporary error', async () => {
    const { code, verdict } = await check(500, {})
    assert.deepEqual([code, verdict], [1, 'FAILED'])
  })
})
