// Writes src/pages/icons.json: the drawings of the icons that the pages use. `npm run icons` takes them from Lucide again;
// with names it adds some: `npm run icons -- car rocket`. Lucide is no dependency: it has 67 MB, and we use 15 kB of it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const LUCIDE = 'lucide-static@1.62.0'
const FILE = fileURLToPath(new URL('../src/pages/icons.json', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'rodado-icons-'))
try {
  execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', LUCIDE], { stdio: 'inherit' })
  const known = Object.keys(JSON.parse(readFileSync(FILE, 'utf8')))
  const names = [...new Set([...known, ...process.argv.slice(2)])].sort()
  const icons = Object.fromEntries(names.map((name) => [name, drawingOf(name)]))
  writeFileSync(FILE, `${JSON.stringify(icons, null, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The elements inside the icon's SVG, on one line. */
function drawingOf(name: string): string {
  const svg = readFileSync(join(folder, 'node_modules', 'lucide-static', 'icons', `${name}.svg`), 'utf8')
  const [, inside = ''] = /<svg[^>]*>(.*)<\/svg>/s.exec(svg) ?? []
  return inside
    .trim()
    .replaceAll(/\s*\n\s*/g, '')
    .replaceAll(' />', '/>')
}
