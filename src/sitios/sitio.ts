/** One of the marketplace's own sites, which hands in inquiries and reads listings; it belongs to one mode. */
export interface Sitio {
  id: number
  nombre: string
  modo: 'produccion' | 'prueba'
}
