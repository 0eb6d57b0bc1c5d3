// npm run package -- [npm] [deb] [--arch amd64,arm64] [--out out]: makes the packages that are installed without a checkout.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ARCHITECTURES, type Architecture, makeDeb } from './package/deb.ts'
import { makeTarball } from './package/tarball.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    arch: { type: 'string', default: Object.keys(ARCHITECTURES).join() },
    out: { type: 'string', default: 'out' },
  },
})
const kinds = positionals.length > 0 ? positionals : ['npm', 'deb']
const architectures = values.arch.split(',')
const unknown = [
  ...kinds.filter((kind) => !['npm', 'deb'].includes(kind)),
  ...architectures.filter((arch) => !(arch in ARCHITECTURES)),
]
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}: npm, deb; --arch ${Object.keys(ARCHITECTURES).join()}.\n`)
  process.exit(2)
}

const out = resolve(values.out)
const folder = await mkdtemp(join(tmpdir(), 'rodado-package-'))
try {
  await mkdir(out, { recursive: true })
  const tarball = await makeTarball(folder)
  if (kinds.includes('deb'))
    for (const arch of architectures) process.stdout.write(`${await makeDeb(tarball, arch as Architecture, out)}\n`)
  const published = join(out, basename(tarball))
  if (kinds.includes('npm')) {
    await cp(tarball, published)
    process.stdout.write(`${published}\n`)
  }
} finally {
  await rm(folder, { recursive: true })
}
