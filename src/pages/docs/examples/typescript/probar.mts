// node probar.mts consulta.recibida
import { setTimeout as esperar } from 'node:timers/promises'
import { llamar } from './rodado.mts'

interface Entrega {
  Estado: string
  Intentos: { DuracionMs: number; Status: number | null; Error: string | null }[]
}

const [topic = 'consulta.recibida'] = process.argv.slice(2)
const { encabezados } = await llamar('POST', `/v3/appnotificaciones/${topic}/prueba`)
const direccion = encabezados.get('location') ?? '' // la entrega, en el registro

let entrega: Entrega
do {
  await esperar(500)
  entrega = (await llamar<Entrega>('GET', direccion)).datos
} while (entrega.Intentos.length === 0)

const [intento] = entrega.Intentos
console.log(entrega.Estado, intento?.Status ?? intento?.Error, `${intento?.DuracionMs} ms`)
