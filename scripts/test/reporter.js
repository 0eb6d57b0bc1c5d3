// Node's `spec` reporter, with positions in the compiled tests replaced by those in the sources. `--enable-source-maps` would
// read the map in every test process, which takes seconds and hundreds of megabytes each.
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { spec as Spec } from 'node:test/reporters'

const POSITION = /(?:file:\/\/)?([^\s():]+\.mjs):(\d+):(\d+)/g
const maps = new Map()

function mapOf(file) {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`))
  return maps.get(file)
}

function readMap(path) {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function inSource(position, path, line, column) {
  const file = resolve(path)
  const { fileName, lineNumber, columnNumber } = mapOf(file)?.findOrigin(Number(line), Number(column)) ?? {}
  if (fileName === undefined) return position
  return `${relative(process.cwd(), resolve(dirname(file), fileName))}:${lineNumber}:${columnNumber}`
}

export default async function* report(source) {
  for await (const text of Readable.from(source).pipe(new Spec())) yield String(text).replace(POSITION, inSource)
}
