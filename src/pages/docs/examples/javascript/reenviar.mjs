// node reenviar.mjs consulta.recibida 2026-03-01
import { llamar } from './rodado.mjs'

const [topic = 'consulta.recibida', desde = '2026-03-01'] = process.argv.slice(2)
const ruta = `/v3/appnotificaciones/${topic}/entregas/reenviar?estado=fallida,descartada&desde=${desde}`

const { datos: cuenta } = await llamar('POST', `${ruta}&simular=true`)
console.log(cuenta.Cantidad, 'sin entregar')

const { datos } = await llamar('POST', ruta)
console.log('Reenviadas, con los mismos Id:', datos.Cantidad)
