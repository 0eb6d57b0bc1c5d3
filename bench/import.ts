// Imports generated data with `rodado import` into a new embedded PostgreSQL and reports rows per second and memory:
// `npm run bench:import`, or `npm run bench:import -- --agencias 10000 --publicaciones 100000 --consultas 100000`.
import { execFile, spawn } from 'node:child_process'
import { createWriteStream, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { makeTempDir, runWithCleanup } from '../drills/cleanup.ts'

const RODADO = fileURLToPath(new URL('../bin/rodado.js', import.meta.url))
const CHUNK = 1_000
const POLL_MS = 100
const DAY_MS = 86_400_000
const NUMBER = { type: 'string' } as const

const { values } = parseArgs({ options: { agencias: NUMBER, publicaciones: NUMBER, consultas: NUMBER } })
const counts = {
  agencias: Number(values.agencias ?? 100_000),
  publicaciones: Number(values.publicaciones ?? 1_000_000),
  consultas: Number(values.consultas ?? 1_000_000),
}

const MODELS = [
  { Marca: 'Fiat', Modelo: 'Cronos', Version: '1.3 Drive' },
  { Marca: 'Volkswagen', Modelo: 'Gol Trend', Version: '1.6 Trendline' },
  { Marca: 'Toyota', Modelo: 'Corolla', Version: '1.8 XEi' },
  { Marca: 'Chevrolet', Modelo: 'Onix', Version: '1.4 LT' },
]
const PLACES = [
  { Region: 'Buenos Aires', Ciudad: 'Temperley' },
  { Region: 'Santa Fe', Ciudad: 'Rosario' },
  { Region: 'Córdoba', Ciudad: 'Villa María' },
  { Region: 'Mendoza', Ciudad: 'Godoy Cruz' },
]
const Paquete = { Nombre: 'Plan', Desde: '2020-01-01', Hasta: '2049-12-31', Alta: 10, Media: 10, Baja: 30 }
const pick = <T>(list: T[], at: number): T => list[at % list.length] as T
const ofAgency = (at: number) => ({ AdminMail: `admin${at % counts.agencias}@agencia.example` })
const now = Date.now()

const RECORDS = {
  agencias: (at: number) => {
    const person = { AdminNombre: 'Ana', AdminApellido: 'Paz' }
    return { ...ofAgency(at), ...person, Nombre: `Agencia ${at}`, ...pick(PLACES, at), Paquete }
  },
  publicaciones: (at: number) => {
    const Precio = { Moneda: 'ARS', Importe: 10_000_000 + at }
    const Fotos = [1, 2, 3].map((photo) => `https://fotos.example/${at}-${photo}.jpg`)
    const use = { VersionYear: 2010 + (at % 15), Kilometraje: 1 + (at % 200_000), Color: 'blanco' }
    const about = { ...ofAgency(at), ExternalId: `E-${at}`, ...pick(MODELS, at), ...use }
    return { ...about, Precio, Fotos, Descripcion: 'Único dueño.' }
  },
  consultas: (at: number) => {
    const { Marca, Modelo } = pick(MODELS, at)
    const Momento = new Date(now - (1 - at / counts.consultas) * 300 * DAY_MS).toISOString()
    const about = { ...ofAgency(at), ExternalId: `E-${at}`, Auto: { Marca, Modelo } }
    const Interesado = { Nombre: 'Lucía', Email: `persona${at}@correo.example`, Comentario: '¿Sigue disponible?' }
    return { Id: String(at), Momento, ...about, OrigenLead: 'form', Estado: 'leida', Interesado }
  },
}

type Name = keyof typeof RECORDS

async function generate(name: Name, path: string): Promise<void> {
  function* chunks() {
    for (let from = 0; from < counts[name]; from += CHUNK) {
      const size = Math.min(CHUNK, counts[name] - from)
      yield Array.from({ length: size }, (_, at) => `${JSON.stringify(RECORDS[name](from + at))}\n`).join('')
    }
  }
  await pipeline(Readable.from(chunks()), createWriteStream(path))
}

/** Runs an import; the result of the command, and the most memory that it had. */
async function runImport(env: NodeJS.ProcessEnv, args: string[]) {
  const child = spawn(process.execPath, [RODADO, 'import', ...args, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let mebibytes = 0
  const timer = setInterval(() => {
    try {
      const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      mebibytes = Math.round(Number(kib ?? 0) / 1024)
    } catch {
      // It has just ended.
    }
  }, POLL_MS)
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  clearInterval(timer)
  return { ...JSON.parse(text), mebibytes }
}

await runWithCleanup(async ({ defer }) => {
  const folder = makeTempDir(defer, 'bench-import')
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' }
  const rodado = (...args: string[]) => promisify(execFile)(process.execPath, [RODADO, ...args], { env })
  await rodado('migrate')
  const { AppKey } = JSON.parse((await rodado('app', 'create', '--nombre', 'Bench', '--json')).stdout)
  let wrong = 0
  for (const name of Object.keys(RECORDS) as Name[]) {
    const path = join(folder, `${name}.ndjson`)
    await generate(name, path)
    const done = await runImport(env, [name, path, '--app', AppKey])
    const size = Math.round(statSync(path).size / 1_048_576)
    const rate = Math.round(done.created / done.seconds)
    console.log(
      `${name.padEnd(14)} ${done.created} rows (${size} MiB) in ${done.seconds.toFixed(0)} s, ${rate} a second, at most ${done.mebibytes} MiB`,
    )
    wrong += counts[name] - done.created
  }
  if (wrong > 0) console.error(`${wrong} rows were not imported.`)
  return wrong > 0 ? 1 : 0
})
