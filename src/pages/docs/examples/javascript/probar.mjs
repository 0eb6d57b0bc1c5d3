// node probar.mjs consulta.recibida
import { setTimeout as esperar } from 'node:timers/promises'
import { llamar } from './rodado.mjs'

const [topic = 'consulta.recibida'] = process.argv.slice(2)
const { encabezados } = await llamar('POST', `/v3/appnotificaciones/${topic}/prueba`)
const direccion = encabezados.get('location') ?? '' // la entrega, en el registro

let entrega
do {
  await esperar(500)
  entrega = (await llamar('GET', direccion)).datos
} while (entrega.Intentos.length === 0)

const [intento] = entrega.Intentos
console.log(entrega.Estado, intento?.Status ?? intento?.Error, `${intento?.DuracionMs} ms`)
