// node firmar.mjs GET '/v3/colores?q=rojo'
import { llamar } from './rodado.mjs'

const [metodo = 'GET', ruta = '/v3/colores?q=rojo', cuerpo] = process.argv.slice(2)
const { estado, datos } = await llamar(metodo, ruta, cuerpo && JSON.parse(cuerpo))
console.log(estado, JSON.stringify(datos, null, 2))
