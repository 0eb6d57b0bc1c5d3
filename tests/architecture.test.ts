import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SRC = join(ROOT, 'src')

/** The layers of ARCHITECTURE.md: a file imports from its own module or a lower layer, never up, never sideways. */
const LAYERS: Record<string, number> = {
  'main.ts': 6,
  'app.ts': 6,
  'guard.ts': 5,
  'record-calls.ts': 5,
  pages: 5,
  cli: 5,
  interno: 5,
  access: 4,
  sandbox: 4,
  transfer: 4,
  resources: 3,
  auth: 2,
  webhooks: 2,
  mail: 2,
  photos: 2,
  http: 1,
  outbox: 1,
  apps: 1,
  sitios: 1,
  brand: 1,
  accounts: 1,
  catalogue: 1,
  status: 1,
  'tasks.ts': 1,
  store: 0,
  i18n: 0.5,
  'config.ts': 0,
  'clock.ts': 0,
  'log.ts': 0,
  'memoize.ts': -0.5,
  'modo.ts': 0,
  'phone.ts': 0.5,
  'text.ts': 0,
  'time-limit.ts': 0,
  'tracing.ts': -0.5,
  'tracing-packages.ts': -1,
  'ulid.ts': 0,
  'version.ts': 0,
}

/** Resources build on one another: each imports only from those on earlier lines. */
const RESOURCES = [
  ['home', 'eventos', 'regiones', 'marcas', 'carrocerias', 'colores'],
  ['ciudades', 'modelos'],
  ['versiones'],
  ['agencias'],
  ['operadores', 'sucursales', 'publicaciones'],
  ['consultas'],
  ['appnotificaciones'],
]

/** The named exceptions, each with its reason. */
const EXCEPTIONS: { from: RegExp; to: RegExp; reason: string }[] = [
  { from: /^main\.ts$/, to: /^app\.ts$/, reason: 'main assembles what app describes' },
  { from: /^cli\/serve\.ts$/, to: /^main\.ts$/, reason: '`rodado serve` starts the server' },
  {
    from: /^webhooks\/failure-warnings\.ts$/,
    to: /^mail\/(email|compose)\.ts$/,
    reason: 'an app is notified by email of its failing webhook, in the same transaction',
  },
  {
    from: /^photos\/download\.ts$/,
    to: /^webhooks\/(callback-rules|headers|send\/(connect|explain))\.ts$/,
    reason: 'photos are fetched from the addresses that callbacks may reach',
  },
  {
    from: /^config\.ts$/,
    to: /^brand\/brand\.ts$/,
    reason: 'settings are the defaults of the brand',
  },
  { from: /^store\//, to: /^config\.ts$/, reason: 'the configuration says how the store is opened' },
]

/** What must not appear in the code, and where it may. */
const BANNED: { what: string; pattern: RegExp; except: RegExp }[] = [
  { what: 'process.env outside config.ts', pattern: /process\.env/, except: /^config\.ts$/ },
  {
    what: 'the machine’s clock outside main.ts and the command line',
    pattern: /new Date\(\)|Date\.now\(\)/,
    except: /^(main\.ts|cli\/)/,
  },
  { what: 'Math.random', pattern: /Math\.random/, except: /^$/ },
  {
    what: 'an outgoing call outside webhooks/send, mail/smtp, photos and the command line',
    pattern: /\bfetch\(|from 'undici'/,
    except: /^(webhooks\/send|mail\/smtp|photos\/(download|s3)|cli\/)/,
  },
  {
    what: 'SQL that changes a session, which a pooler gives to another client (docs/poolers.md)',
    pattern:
      /[`';]\s*set (?!local\b)\w+ (=|to\b)|set_config\([^)]*false\)|advisory_(lock|unlock)|\blisten \$|\btemp(orary)? table|\bdeclare \w+ cursor|\bdiscard all/,
    except: /^store\/(listener|replicas\/primary|embedded\/attach)\.ts$/,
  },
  { what: 'SQL in routes or pages', pattern: /sql-template-tag/, except: /^(?!.*routes\.ts$)(?!pages\/)/ },
]

const BANNED_NAMES = /(^|\/)(utils?|helpers?|common|services|types|index)(\.tsx?|\/)/

interface Import {
  from: string
  to: string
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))

const textOf = (path: string) => readFileSync(join(SRC, path), 'utf8')

function importsOf(from: string): Import[] {
  return [...textOf(from).matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(([, target = '']) => ({
    from,
    to: relative(SRC, resolve(SRC, dirname(from), target)).replaceAll('\\', '/'),
  }))
}

/** The module of a file: its top folder, or the resource below resources/. */
function moduleOf(path: string): string {
  const [first = '', second] = path.split('/')
  return first === 'resources' ? `resources/${second}` : first
}

/** The layer of a resource is a fraction above that of `resources`, by its position in the list. */
function layerOf(path: string): number | undefined {
  const [first = '', second = ''] = path.split('/')
  const layer = LAYERS[first]
  if (first !== 'resources') return layer
  const rank = RESOURCES.findIndex((names) => names.includes(second))
  return rank < 0 || layer === undefined ? undefined : layer + rank / RESOURCES.length
}

function isAllowed({ from, to }: Import): boolean {
  if (moduleOf(from) === moduleOf(to)) return true
  if (EXCEPTIONS.some((exception) => exception.from.test(from) && exception.to.test(to))) return true
  return (layerOf(to) ?? 9) < (layerOf(from) ?? 0)
}

/** The files that import themselves through others: files are removed as long as one imports none that is left. */
function filesInCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(imports)
  for (;;) {
    const done = [...left].filter(([, targets]) => !targets.some((target) => left.has(target)))
    if (done.length === 0) return [...left.keys()]
    for (const [path] of done) left.delete(path)
  }
}

describe('architecture', () => {
  it('every file belongs to a layer', () => {
    assert.ok(sources.length > 50, 'the sources are found')
    assert.deepEqual(
      sources.filter((path) => layerOf(path) === undefined),
      [],
    )
  })

  it('no import goes up or sideways', () => {
    const wrong = sources.flatMap(importsOf).filter((each) => !isAllowed(each))
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} → ${to}`),
      [],
    )
  })

  it('the packages for partners import nothing of the server, and only its command line imports theirs', () => {
    for (const workspace of ['cli/src', 'clients/typescript/src']) {
      const folder = join(ROOT, workspace)
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
        /(?<!\.test)\.ts$/.test(path),
      )
      assert.ok(files.length > 5)
      for (const path of files)
        for (const [, target = ''] of readFileSync(join(folder, path), 'utf8').matchAll(/from '(\.[^']+)'/g))
          assert.ok(resolve(folder, dirname(path), target).startsWith(folder), `${workspace}/${path} → ${target}`)
    }
    const users = sources.filter((path) => /from '@rodado\/cli'/.test(textOf(path)))
    assert.deepEqual(
      users.filter((path) => !path.startsWith('cli/')),
      [],
    )
  })

  it('console, portal and account do not import each other', () => {
    const audienceOf = (path: string) => /^pages\/(consola|portal|cuenta)\//.exec(path)?.[1]
    const wrong = sources
      .flatMap(importsOf)
      .filter(({ from, to }) => audienceOf(from) && audienceOf(to) && audienceOf(from) !== audienceOf(to))
    assert.deepEqual(
      wrong.map(({ from, to }) => `${from} → ${to}`),
      [],
    )
  })

  it('no file imports itself through others, types included', () => {
    const targets = (path: string) => importsOf(path).map(({ to }) => to)
    assert.deepEqual(filesInCircles(new Map(sources.map((path) => [path, targets(path)]))), [])
    const circle: [string, string[]][] = [
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
      ['d', []],
    ]
    assert.deepEqual(filesInCircles(new Map(circle)), ['a', 'b', 'c'], 'the rule itself finds one')
  })

  it('the rule itself finds a forbidden import', () => {
    assert.ok(!isAllowed({ from: 'http/x.ts', to: 'auth/y.ts' }))
    assert.ok(!isAllowed({ from: 'resources/marcas/x.ts', to: 'resources/colores/y.ts' }))
    assert.ok(!isAllowed({ from: 'resources/publicaciones/x.ts', to: 'resources/consultas/y.ts' }))
    assert.ok(isAllowed({ from: 'resources/consultas/x.ts', to: 'resources/publicaciones/y.ts' }))
    assert.ok(!isAllowed({ from: 'store/db.ts', to: 'http/y.ts' }))
    assert.ok(isAllowed({ from: 'auth/x.ts', to: 'http/y.ts' }))
  })

  for (const { what, pattern, except } of BANNED) {
    it(`nowhere: ${what}`, () => {
      assert.deepEqual(
        sources.filter((path) => !except.test(path) && pattern.test(textOf(path))),
        [],
      )
    })
  }

  it('no module has a generic name', () => {
    assert.deepEqual(
      sources.filter((path) => BANNED_NAMES.test(path)),
      [],
    )
  })
})
