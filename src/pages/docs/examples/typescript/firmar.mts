// node firmar.mts GET '/v3/colores?q=rojo'
import { llamar } from './rodado.mts'

const [metodo = 'GET', ruta = '/v3/colores?q=rojo', cuerpo] = process.argv.slice(2)
const { estado, datos } = await llamar(metodo, ruta, cuerpo && JSON.parse(cuerpo))
console.log(estado, JSON.stringify(datos, null, 2))
