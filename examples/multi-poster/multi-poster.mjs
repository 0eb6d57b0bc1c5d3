// A multi-posting tool: a dealership's whole stock, from a CSV file to the marketplace, with an answer for every car.
//   RODADO_URL, RODADO_APP_KEY, RODADO_APP_SECRET; arguments: the agency's mail, the file, and --publicar to do it.
import { readFileSync } from 'node:fs'
import { createClient, ProblemError } from '@rodado/client'

const { RODADO_URL: baseUrl, RODADO_APP_KEY: appKey, RODADO_APP_SECRET: appSecret } = process.env
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const [adminMail, file] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
if (!adminMail || !file || !baseUrl || !appKey || !appSecret) {
  console.error(`Usage: node multi-poster.mjs ADMINMAIL FILE.csv [--publicar] [--confirmar]

Without --publicar nothing is published: it is told what would be. --confirmar archives a large part of the stock too.
RODADO_URL, RODADO_APP_KEY and RODADO_APP_SECRET say where the server is, and who asks.`)
  process.exit(2)
}
const publish = flags.includes('--publicar')
const rodado = createClient({ baseUrl, appKey, appSecret })

/** The columns of the file, as the dealership's system exports them, and what they are called here. */
const [head, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/)
const columns = head.split(';')
const cars = lines.map((line) => {
  const row = Object.fromEntries(line.split(';').map((value, at) => [columns[at], value.trim()]))
  return {
    ExternalId: row.codigo,
    Marca: row.marca,
    Modelo: row.modelo,
    Version: row.version || null,
    VersionYear: row.anio ? Number(row.anio) : null,
    Kilometraje: row.km ? Number(row.km) : null,
    Color: row.color || null,
    Precio: row.precio ? { Moneda: row.moneda || 'ARS', Importe: Number(row.precio) } : null,
    Fotos: row.fotos ? row.fotos.split(',') : [],
  }
})

try {
  // `completo`: this is all there is, so what is missing was sold. Without --publicar we are only told.
  const options = { adminMail, modo: 'completo', simular: !publish, confirmar: flags.includes('--confirmar') }
  const { _entries: answers } = await rodado.publicarLote(options, cars)
  for (const { ExternalId, Resultado, Errors = {}, Candidatos = [] } of answers) {
    console.log(`${(ExternalId ?? '?').padEnd(12)} ${Resultado}`)
    for (const [property, faults] of Object.entries(Errors)) console.log(`  ${property}: ${faults.join(' ')}`)
    if (Candidatos.length > 0) console.log(`  ¿${Candidatos.map(({ title }) => title).join(', ')}?`)
  }
  const count = (...results) => answers.filter(({ Resultado }) => results.includes(Resultado)).length
  const refused = count('rechazada')
  const online = count('creada', 'modificada', 'sin-cambios')
  console.log(`${publish ? '' : 'It would be: '}${online} online, ${count('archivada')} archived, ${refused} refused`)
  process.exitCode = refused > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof ProblemError)) throw error
  console.error(`${error.title}: ${error.detail}`, error.errors)
  process.exitCode = 2
}
