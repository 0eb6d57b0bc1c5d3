import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

/** Where each client says its version. */
const PLACES: [string, RegExp][] = [
  ['clients/typescript/package.json', /"version": "(.*?)"/],
  ['clients/python/pyproject.toml', /^version = "(.*?)"/m],
  ['clients/python/rodado_client/__init__.py', /^__version__ = "(.*?)"/m],
  ['clients/python/rodado_client/client.py', /rodado-python\/([\d.]+)/],
  ['clients/php/composer.json', /"version": "(.*?)"/],
  ['clients/php/src/Rodado.php', /VERSION = '(.*?)'/],
  ['clients/java/pom.xml', /<version>(.*?)<\/version>/],
  ['clients/java/src/main/java/dev/rodado/client/Rodado.java', /VERSION = "(.*?)"/],
  ['clients/csharp/Rodado.Client.csproj', /<Version>(.*?)<\/Version>/],
  ['clients/csharp/src/RodadoClient.cs', /Version = "(.*?)"/],
  ['clients/go/client.go', /Version = "(.*?)"/],
]
const LANGUAGES = ['python', 'php', 'java', 'csharp', 'go']
const MOST_LINES = 10

describe('clients', () => {
  for (const [path, pattern] of PLACES)
    it(`${path} has the version of the API`, () => assert.equal(pattern.exec(read(path))?.[1], version))

  for (const path of ['clients/typescript', ...LANGUAGES.map((language) => `clients/${language}`)])
    it(`the first program in ${path}/README.md has at most ten lines`, () => {
      const program = /```(?:ts|python|php|java|csharp|go)\n([\s\S]*?)```/.exec(read(`${path}/README.md`))?.[1] ?? ''
      const lines = program.trim().split('\n')
      assert(lines.length > 1 && lines.length <= MOST_LINES, `${lines.length} lines`)
    })
})
