// What the server is made of, as CycloneDX 1.5 for whoever keeps lists of it: `npm run -s sbom > rodado.cdx.json`.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MOST_BYTES = 64 * 1024 * 1024

interface Component {
  'bom-ref': string
  type: string
  name: string
}

/** The document as npm makes it, without what differs between two runs over the same lockfile: moment and serial number. */
export function makeSbom(): { components: Component[]; metadata: { component: Component } } {
  const text = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: MOST_BYTES,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const { serialNumber: _, metadata, ...rest } = JSON.parse(text)
  const { timestamp: __, ...about } = metadata
  about.component.name = 'rodado' // npm takes the folder's name
  return { ...rest, metadata: about }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(makeSbom(), null, 2))
