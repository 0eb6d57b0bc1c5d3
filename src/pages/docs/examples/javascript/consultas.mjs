// node consultas.mjs ana@automotores.example
import { llamar } from './rodado.mjs'

const [adminMail = 'ana@automotores.example'] = process.argv.slice(2)
const lista = `/v3/consultas/${adminMail}`

let etag = ''
for (let ruta = lista; ruta; ) {
  const { datos, encabezados } = await llamar('GET', ruta)
  if (ruta === lista) {
    etag = encabezados.get('etag') ?? ''
    console.log(datos.Total, 'en 90 días')
  }
  for (const { Momento, Auto, Interesado } of datos._entries)
    console.log(Momento, Auto.Marca, Auto.Modelo, Interesado.Nombre)
  ruta = datos._links.next?.href ?? '' // en la última página no está
}

// Más tarde: si nada cambió, la respuesta es 304, sin cuerpo.
const { estado } = await llamar('GET', lista, undefined, { 'If-None-Match': etag })
console.log(estado === 304 ? 'nada nuevo' : 'hay novedades')
