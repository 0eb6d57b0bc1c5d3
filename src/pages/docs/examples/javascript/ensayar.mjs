// node ensayar.mjs (con las claves de API de una app en modo de prueba)
import { llamar } from './rodado.mjs'

const { datos: agencias } = await llamar('GET', '/v3/agencias')
const AdminMail = agencias._entries[0]?.AdminMail

// Dos personas inventadas preguntan por sus autos; las notificaciones salen como las de verdad.
const { datos: generadas } = await llamar('POST', '/v3/prueba/consultas', {
  AdminMail,
  Cantidad: 2,
})
for (const { title } of generadas._entries) console.log('llegó', title)

const { datos } = await llamar('GET', generadas._entries[0]?.href ?? '')
console.log(datos.Interesado.Nombre, 'pregunta por', datos.Auto.Marca, datos.Auto.Modelo)
