// node invitar.mjs ana@automotores.example
import { llamar, Problema } from './rodado.mjs'

const [AdminMail = 'ana@automotores.example'] = process.argv.slice(2)

try {
  const { encabezados } = await llamar('POST', '/v3/agencias', {
    AdminMail,
    Nombre: 'Automotores Ana',
    Region: 'Bs As',
    Ciudad: 'temperlei',
    Mensaje: 'Hola, Ana: con esto sus consultas llegan directo al CRM.',
  })
  // Guarde esta dirección: ahí se lee el estado de la invitación.
  const direccion = encabezados.get('location') ?? ''
  const { datos } = await llamar('GET', direccion)
  console.log(datos.Estado, datos.Invitacion.Estado, 'hasta', datos.Invitacion.Vence)
} catch (error) {
  if (!(error instanceof Problema && error.estado === 409)) throw error
  // Ya está registrada: su administrador asocia la app en esta página.
  console.log('ya registrada:', error.datos.Extensions?.Conectar)
}
