import type { Tag } from './document.ts'

/** The chapters of the reference, in reading order. A route names one of these; a test holds it to that. */
export const TAGS: readonly Tag[] = [
  {
    name: 'Autenticación',
    description: 'Un token para llamar sin firmar cada solicitud, y los documentos que lo describen.',
  },
  { name: 'Home', description: 'Los puntos de entrada: desde aquí se llega a todo lo demás siguiendo enlaces.' },
  {
    name: 'Agencias',
    description: 'Invitar agencias, leer y editar sus datos, ver su paquete y desasociarlas de la app.',
  },
  { name: 'AppNotificaciones', description: 'Los webhooks de la app: uno por topic, con su dirección y su secreto.' },
  {
    name: 'Eventos',
    description: 'Todo lo que se anunció a la app, para recuperar lo que un webhook no alcanzó a recibir.',
  },
  { name: 'Consultas', description: 'Las consultas que recibieron las agencias, y el reenvío de su webhook.' },
  { name: 'Publicaciones', description: 'Los autos que la app publica por cuenta de cada agencia.' },
  { name: 'Operadores', description: 'Las personas que trabajan en una agencia.' },
  { name: 'Sucursales', description: 'Los locales de una agencia.' },
  { name: 'Carrocerías', description: 'Catálogo de carrocerías, y cuál corresponde a un texto propio.' },
  { name: 'Regiones', description: 'Catálogo de provincias o estados, con su código ISO 3166-2.' },
  { name: 'Ciudades', description: 'Catálogo de localidades por región, y cuál corresponde a un texto propio.' },
  { name: 'Colores', description: 'Catálogo de colores.' },
  { name: 'Marcas', description: 'Catálogo de marcas, y cuál corresponde a un texto propio.' },
  { name: 'Modelos', description: 'Catálogo de modelos de cada marca.' },
  { name: 'Versiones', description: 'Catálogo de versiones de cada modelo.' },
  { name: 'Prueba', description: 'Lo que solo tienen las apps en modo prueba, para probar sin esperar a nadie.' },
  {
    name: 'Interno',
    description: 'Lo que llama el sitio del propio mercado, con su SitioKey. No es para apps asociadas.',
  },
  {
    name: 'Salud',
    description: 'Si el servidor vive y si puede atender, para balanceadores y monitores. Sin credencial.',
  },
]
