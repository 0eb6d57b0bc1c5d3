// Writes the SBOM of the server as CycloneDX 1.5: `npm run -s sbom > rodado.cdx.json`. It reads the lockfile, because
// `npm sbom --omit dev` leaves out production packages that a development package needs too (npm 11.19).
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getOrInsert } from '../src/memoize.ts'

const ROOT = new URL('..', import.meta.url)
/** SPDX identifiers; any other licence is given by name. */
const SPDX =
  /^(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|CC0-1\.0|ISC|MIT|MIT-0|PostgreSQL|Python-2\.0|Unlicense)$/

interface Locked {
  name?: string
  version?: string
  integrity?: string
  license?: string
  dev?: boolean
  link?: boolean
  optional?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

interface Component {
  'bom-ref': string
  type: 'application' | 'library'
  name: string
  version: string
  scope: 'required' | 'optional'
  purl: string
  hashes: { alg: 'SHA-512'; content: string }[]
  licenses: { license: { id: string } | { name: string } }[]
}

interface Sbom {
  bomFormat: 'CycloneDX'
  specVersion: '1.5'
  version: number
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const read = (path: string) => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'))

/** Deterministic for a lockfile: no timestamp, no serial number. */
export function makeSbom(): Sbom {
  const packages: Record<string, Locked> = read('package-lock.json').packages
  const own = { ...packages[''], ...read('package.json') } as Locked
  // Workspaces that the server does not depend on, such as the bench, are no part of it.
  const isOurs = (path: string) =>
    path.includes('node_modules/') || nameOf(path, packages[path] ?? {}) in (own.dependencies ?? {})
  const needed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path !== '' && !dev && !link && isOurs(path),
  )
  const components = new Map<string, Component>()
  const dependencies = new Map<string, Set<string>>()
  for (const [path, locked] of [['', own] as [string, Locked], ...needed]) {
    const component = describe(path, locked)
    const ref = component['bom-ref']
    if (path !== '') components.set(ref, component)
    const on = getOrInsert(dependencies, ref, () => new Set())
    const wanted = { ...locked.dependencies, ...locked.optionalDependencies, ...locked.peerDependencies }
    for (const name of Object.keys(wanted)) {
      const there = resolve(packages, path, name)
      if (there && !packages[there]?.dev) on.add(refOf(there, packages[there] ?? {}))
    }
  }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { ...describe('', own), type: 'application' } },
    components: [...components.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)),
    dependencies: [...dependencies].map(([ref, on]) => ({ ref, dependsOn: [...on].sort() })),
  }
}

const nameOf = (path: string, { name }: Locked) => name ?? path.split('node_modules/').at(-1) ?? path
const refOf = (path: string, locked: Locked) => `${nameOf(path, locked)}@${locked.version}`

function describe(path: string, locked: Locked): Component {
  const { version = '', integrity = '', license = licenceIn(path), optional } = locked
  const name = nameOf(path, locked)
  const digest = /sha512-([\w+/=]+)/.exec(integrity)?.[1]
  return {
    'bom-ref': refOf(path, locked),
    type: 'library',
    name,
    version,
    scope: optional ? 'optional' : 'required', // optional: mostly for other platforms
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: digest ? [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] : [],
    licenses: license ? [{ license: SPDX.test(license) ? { id: license } : { name: license } }] : [],
  }
}

/** For packages whose licence the lockfile does not give. */
function licenceIn(path: string): string | undefined {
  try {
    return read(`${path}/package.json`).license
  } catch {
    return undefined
  }
}

/** Resolves a package name from a folder, as node does. */
function resolve(packages: Record<string, Locked>, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = `${at ? `${at}/` : ''}node_modules/${name}`
    const found = packages[path]
    if (found) return found.link ? found.resolved : path
    if (at === '') return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(makeSbom(), null, 2))
