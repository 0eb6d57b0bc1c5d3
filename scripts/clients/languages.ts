import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { oapiCodegen, openapiGenerator, openapiPythonClient, run } from './tools.ts'

interface Language {
  /** Also the folder below clients/. */
  name: string
  /** Programs without which it cannot be generated, or built and run. */
  requires: { generate: string[]; run: string[] }
  /** Writes the generated code into the client's folder. */
  generate(document: string, dir: string): Promise<unknown>
  /** Builds the package as it is published; `temporary` is for what should not stay. */
  build(dir: string, temporary: string): Promise<unknown>
  /** Runs the client's scenario and returns what it printed. */
  run(dir: string, temporary: string, env: Record<string, string>): Promise<string>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const nothing = async () => undefined

const JAVA = ['java', 'mvn']
const NO_EXTRAS = 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'

const JAVA_PACKAGE = 'dev.rodado.client.generated'
const JAVA_PROPERTIES = {
  library: 'okhttp-gson',
  invokerPackage: JAVA_PACKAGE,
  apiPackage: `${JAVA_PACKAGE}.api`,
  modelPackage: `${JAVA_PACKAGE}.model`,
  disallowAdditionalPropertiesIfNotPresent: 'false',
  hideGenerationTimestamp: 'true',
  openApiNullable: 'false',
  useJakartaEe: 'true',
}

const CSHARP_PROPERTIES = {
  library: 'httpclient',
  packageName: 'Rodado.Client.Generated',
  targetFramework: 'net8.0',
  nullableReferenceTypes: 'false',
  useDateTimeOffset: 'true',
  validatable: 'false',
}

/** Runs openapi-generator into an empty folder. */
async function generated(language: string, document: string, dir: string, properties: Record<string, string>) {
  await rm(dir, { recursive: true, force: true })
  const list = Object.entries(properties).map(([name, value]) => `${name}=${value}`)
  const flags = ['--global-property', NO_EXTRAS, '--additional-properties', list.join(',')]
  await openapiGenerator(language, document, dir, flags)
}

const composer = (temporary: string) => ({
  COMPOSER_VENDOR_DIR: join(temporary, 'vendor'),
  COMPOSER_ALLOW_SUPERUSER: '1',
})

export const LANGUAGES: Language[] = [
  {
    name: 'typescript', // `npm run contract` writes its types
    requires: { generate: [], run: [] },
    generate: nothing,
    build: nothing,
    run: (dir, _, env) => run(process.execPath, ['--import', 'tsx', join(dir, 'scenario.ts')], ROOT, env),
  },
  {
    name: 'python',
    requires: { generate: ['python3'], run: ['python3'] },
    async generate(document, dir) {
      const generated = join(dir, 'rodado_client/generated')
      await rm(generated, { recursive: true, force: true })
      await openapiPythonClient(document, generated)
    },
    async build(dir, temporary) {
      await run('python3', ['-m', 'venv', 'python'], temporary)
      await run('python/bin/pip', ['-q', 'install', dir], temporary)
    },
    run: (dir, temporary, env) =>
      run(join(temporary, 'python/bin/python'), ['-P', join(dir, 'scenario.py')], temporary, env),
  },
  {
    name: 'go',
    requires: { generate: ['go'], run: ['go'] },
    generate: (document, dir) => oapiCodegen(document, dir, 'api', 'generated/api.go'),
    build: (dir) => run('go', ['vet', './...'], dir),
    run: (dir, _, env) => run('go', ['run', './scenario'], dir, env),
  },
  {
    name: 'php',
    requires: { generate: JAVA, run: ['php', 'composer'] },
    generate: (document, dir) =>
      generated('php', document, join(dir, 'generated'), { invokerPackage: 'Rodado\\Generated' }),
    build: (dir, temporary) => run('composer', ['install', '--quiet', '--no-interaction'], dir, composer(temporary)),
    run: (dir, temporary, env) => run('php', [join(dir, 'scenario.php')], dir, { ...env, ...composer(temporary) }),
  },
  {
    name: 'java',
    requires: { generate: JAVA, run: JAVA },
    generate: (document, dir) => generated('java', document, join(dir, 'generated'), JAVA_PROPERTIES),
    build: (dir) =>
      run('mvn', ['-q', 'package', 'dependency:build-classpath', '-Dmdep.outputFile=target/classpath'], dir),
    async run(dir, _, env) {
      const libraries = await readFile(join(dir, 'target/classpath'), 'utf8')
      const classpath = ['target/test-classes', 'target/classes', libraries.trim()].join(':')
      return run('java', ['-cp', classpath, 'Scenario'], dir, env)
    },
  },
  {
    name: 'csharp',
    requires: { generate: JAVA, run: ['dotnet'] },
    generate: (document, dir) => generated('csharp', document, join(dir, 'generated'), CSHARP_PROPERTIES),
    build: (dir) => run('dotnet', ['build', 'scenario', '--verbosity', 'quiet'], dir),
    run: (dir, _, env) => run('dotnet', ['run', '--no-build', '--project', 'scenario'], dir, env),
  },
]
