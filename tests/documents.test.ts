import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { run } from '../src/cli/run.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDERS = ['.', 'docs', 'docs/decisions', 'clients/typescript', 'cli', 'examples']
const DOCUMENTS = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : [])),
)
const CODE = ['src', 'clients/typescript/src', 'cli/src', 'drills', 'fuzz', 'tests'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    /\.(tsx?|sql)$/.test(name) ? [join(folder, name)] : [],
  ),
)
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const isThere = (path: string) => ['', '.ts', '.tsx'].some((end) => existsSync(join(ROOT, path + end)))

const headingsOf = (path: string): string[] => found(textOf(path), /^#+ (.+)$/gm)
/** As GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The names in a document, and whether each exists. */
function missing(named: (text: string, path: string) => string[], isKnown: (name: string) => boolean): string[] {
  const all = DOCUMENTS.flatMap((path) => named(textOf(path), path).map((name) => ({ path, name })))
  assert.ok(all.length > 10, 'there is something to look for')
  return all.filter(({ name }) => !isKnown(name)).map(({ path, name }) => `${path}: ${name}`)
}

const found = (text: string, what: RegExp): string[] => [...text.matchAll(what)].map(([, name = '']) => name)

describe('documents', () => {
  it('every link to a file leads to one', () => {
    const links = (text: string, path: string) =>
      found(text, /\]\(([^)#\s]+)[^)]*\)/g)
        .filter((link) => !/^[a-z]+:/.test(link))
        .map((link) => join(dirname(path), link))
    assert.deepEqual(missing(links, isThere), [])
  })

  it('every link to a heading leads to one', () => {
    const links = (text: string, path: string) =>
      found(text, /\]\(([^):\s]*\.md#[^)]+|#[^)]+)\)/g).map((link) =>
        link.startsWith('#') ? path + link : join(dirname(path), link),
      )
    const isHeading = (link: string) => {
      const [path = '', anchor = ''] = link.split('#')
      return isThere(path) && headingsOf(path).map(anchorOf).includes(anchor)
    }
    assert.deepEqual(missing(links, isHeading), [])
  })

  it('pgbouncer.ini has its comments on lines of their own: PgBouncer reads others as part of the value', () => {
    const [, lines = ''] = /```ini\n([\s\S]*?)```/.exec(textOf('docs/poolers.md')) ?? []
    assert.match(lines, /^max_prepared_statements = /m)
    assert.doesNotMatch(lines, /^[^;\n]+;/m)
  })

  it('docs/README.md, to which README.md leads, lists every page of docs/ once', () => {
    assert.match(textOf('README.md'), /\]\(docs\/README\.md\)/)
    const listed = found(textOf('docs/README.md'), /^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm)
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md')
    assert.deepEqual(listed.toSorted(), pages.toSorted())
  })

  it('docs/decisions.md lists every page of docs/decisions/ once', () => {
    const listed = found(textOf('docs/decisions.md'), /^\| \[[^\]]+\]\(decisions\/([\w-]+\.md)\)/gm)
    assert.deepEqual(listed.toSorted(), readdirSync(join(ROOT, 'docs/decisions')).toSorted())
  })

  it('every decision that code cites exists: the page, and the question if it is named', () => {
    const cited = CODE.filter((path) => path !== 'tests/documents.test.ts').flatMap((path) =>
      [...textOf(path).matchAll(/decisions(?:\/([\w-]+))?\.md(?:, "([^"\n]+)")?/g)].map(([, page, question]) => ({
        path,
        page,
        question,
      })),
    )
    assert.ok(cited.length > 50)
    const exists = (page: string | undefined, question: string | undefined) => {
      if (!page || !isThere(`docs/decisions/${page}.md`)) return false
      return !question || textOf(`docs/decisions/${page}.md`).includes(`\n| ${question} |`)
    }
    assert.deepEqual(
      cited.filter(({ page, question }) => !exists(page, question)),
      [],
    )
  })

  it('every path of the repository that is named exists', () => {
    const folders = 'src|tests|docs|drills|bench|fuzz|scripts|clients|cli|contract|examples|eval'
    const paths = new RegExp(`\`((?:${folders})/[\\w./-]*)\``, 'g')
    assert.deepEqual(
      missing((text) => found(text, paths), isThere),
      [],
    )
  })

  it('every file that ARCHITECTURE.md walks through exists', () => {
    const folders = ['', 'src/', 'src/resources/', 'src/webhooks/']
    const walked = found(textOf('ARCHITECTURE.md'), /`([a-z-]+\/[a-z-/]*)`/g)
    assert.ok(walked.length > 20)
    const rows = found(textOf('ARCHITECTURE.md'), /^\| (\d+) \| `/gm)
    assert.ok(rows.length > 20 && rows.length <= 40, `${rows.length} files from an inquiry to the partner's 200`)
    assert.deepEqual(
      walked.filter((path) => !folders.some((folder) => isThere(folder + path))),
      [],
    )
  })

  it('every npm script that is named exists', () => {
    const { scripts } = JSON.parse(textOf('package.json'))
    const named = (text: string) => found(text, /npm run (?:-s )?([a-z]+(?::[a-z]+)*)/g)
    assert.deepEqual(
      missing(named, (name) => name in scripts),
      [],
    )
  })

  it('every rodado command that is named exists', async () => {
    const out = new PassThrough()
    assert.equal(await run(['help'], { out, err: out, env: {} }), 0)
    const commands = new Set(found(String(out.read()), /^ {2}([a-z]+) /gm))
    assert.ok(commands.has('serve'))
    const named = (text: string) => found(text, /npx (?:rodado|@rodado\/cli) ([a-z]+)/g)
    assert.deepEqual(
      missing(named, (name) => commands.has(name)),
      [],
    )
  })
})
