/** What must hold of a route, whoever asks. */
export interface Expectation {
  /** Values for the path's parameters, and a query where the route needs one. */
  params?: Record<string, string>
  query?: string
  /** Needs no credential; the statuses it may answer. */
  open?: number[]
  /** Answers every app the same. */
  shared?: boolean
  /** What an app gets that asks for another's; where there is an :adminMail, it is that of an agency of the owner's, and :sid an inquiry there. */
  foreign?: number[]
  /** What the owner gets, which proves that there was something to see. */
  own?: number
  body?: object
  /** Its credential is a SitioKey (sitio.test.ts): `own` is what a site of the mode gets, `foreign` one of the other mode. */
  sitio?: (there: { aviso: number; adminMail: string }) => Pick<Expectation, 'params' | 'query' | 'body'>
}

const shared = (more: Omit<Expectation, 'shared'> = {}): Expectation => ({ shared: true, ...more })
const open = (...statuses: number[]): Expectation => ({ open: statuses })

const owned = (own: number, foreign: number, more: Expectation = {}): Expectation => ({
  own,
  foreign: [foreign],
  ...more,
})

/** The topic is one that the owner has configured and `other` has not; `:id` is the delivery that tells of the agency. */
const webhook = (own: number, foreign: number, more: Expectation = {}): Expectation =>
  owned(own, foreign, { params: { topic: 'agencia.registrada' }, ...more })
export const CONFIGURED = ['agencia.registrada', 'agencia.modificada', 'consulta.recibida', 'webhook.prueba']
const UPSERT = { Callback: 'https://crm.example/avisos' }

/** A listing that needs no place of a package. */
const HIDDEN = { ExternalId: 'OWN-1', Marca: 'Fiat', Modelo: 'Uno', Activa: false }

const site = (own: number, foreign: number, sitio: NonNullable<Expectation['sitio']> = () => ({})): Expectation =>
  owned(own, foreign, { sitio })

/** Every route of the server. A new one without its line here fails the suite. */
export const EXPECTED = new Map<string, Expectation>([
  ['GET /health/live', open(200)],
  ['GET /health/ready', open(200)],
  ['GET /', open(200)],
  ['GET /assets/favicon.svg', open(200)],
  ['GET /assets/htmx.js', open(200)],
  ['GET /assets/rodado.css', open(200)],
  ['GET /entrar', open(200)],
  ['POST /entrar', open(400)],
  ['GET /consola/personal', open(303)],
  ['POST /consola/personal', open(303)],
  ['POST /consola/personal/:id/retirar', open(303)],
  ['GET /consola/personal/:id/quitar', open(303)],
  ['POST /consola/personal/:id/quitar', open(303)],
  ['GET /consola/personal/:id/reiniciar', open(303)],
  ['POST /consola/personal/:id/reiniciar', open(303)],
  ['GET /consola/personal/acceso', open(303)],
  ['POST /consola/personal/acceso/codigos', open(303)],
  ['POST /consola/personal/acceso/telefono', open(303)],
  ['GET /entrar/codigo', open(303)],
  ['POST /entrar/codigo', open(303)],
  ['POST /salir', open(303)],
  ['GET /clave', open(200)],
  ['POST /clave', open(400)],
  ['GET /clave/:token', open(404)],
  ['POST /clave/:token', open(404)],
  ['GET /registro/:token', open(404)],
  ['POST /registro/:token', open(404)],
  ['GET /sugerencias/ciudades', open(200)],
  ['GET /conectar/:appKey', open(404)],
  ['POST /conectar/:appKey', open(404)],
  ['GET /baja/:token', open(404)],
  ['POST /baja/:token', open(404)],
  ['GET /aviso/:id', open(404)],
  ['GET /aviso/:id/consultar', open(404)],
  ['POST /aviso/:id/consultar', open(404)],
  ['GET /aviso/:id/consultar/gracias', open(404)],
  ['GET /cuenta', open(303)],
  ['GET /cuenta/acceso', open(303)],
  ['GET /cuenta/datos', open(303)],
  ['POST /cuenta/datos', open(303)],
  ['GET /cuenta/sucursales', open(303)],
  ['GET /cuenta/sucursales/nueva', open(303)],
  ['POST /cuenta/sucursales/nueva', open(303)],
  ['GET /cuenta/sucursales/:id', open(303)],
  ['POST /cuenta/sucursales/:id', open(303)],
  ['GET /cuenta/sucursales/:id/quitar', open(303)],
  ['POST /cuenta/sucursales/:id/quitar', open(303)],
  ['GET /cuenta/apps', open(303)],
  ['GET /cuenta/colaboradores', open(303)],
  ['POST /cuenta/apps/:appKey', open(303)],
  ['GET /cuenta/apps/:appKey/terminar', open(303)],
  ['POST /cuenta/apps/:appKey/terminar', open(303)],
  ['POST /cuenta/colaboradores', open(303)],
  ['GET /cuenta/colaboradores/:id/quitar', open(303)],
  ['POST /cuenta/colaboradores/:id/quitar', open(303)],
  ['GET /cuenta/publicaciones', open(303)],
  ['POST /cuenta/publicaciones/:id/ocultar', open(303)],
  ['POST /cuenta/publicaciones/:id/mostrar', open(303)],
  ['GET /cuenta/publicaciones/:id/terminar', open(303)],
  ['POST /cuenta/publicaciones/:id/terminar', open(303)],
  ['GET /cuenta/administrador', open(303)],
  ['POST /cuenta/administrador', open(303)],
  ['GET /colaborar/:token', open(404)],
  ['POST /colaborar/:token', open(404)],
  ['GET /personal/:token', open(404)],
  ['POST /personal/:token', open(404)],
  ['GET /cuenta/clave', open(303)],
  ['POST /cuenta/clave', open(303)],
  ['POST /cuenta/sesiones', open(303)],
  ['GET /cuenta/consultas', open(303)],
  ['GET /cuenta/consultas/:sid', open(303)],
  ['POST /cuenta/consultas/:sid/estado', open(303)],
  ['GET /portal/:appKey', open(303)],
  ['GET /portal/:appKey/puesta-en-marcha', open(303)],
  ['POST /portal/:appKey/puesta-en-marcha/firma-falsa', open(303)],
  ['GET /portal/:appKey/uso', open(303)],
  ['GET /portal/:appKey/probar', open(303)],
  ['POST /portal/:appKey/probar', open(303)],
  ['GET /docs', open(200)],
  ['GET /docs/guia', open(200)],
  ['GET /docs/guia/:capitulo', { ...open(200), params: { capitulo: 'firmar' } }],
  ['GET /docs/ejemplos/:lenguaje/:archivo', { ...open(200), params: { lenguaje: 'curl', archivo: 'rodado.sh' } }],
  ['GET /docs/buscar', open(200)],
  ['GET /openapi.json', open(200)],
  ['GET /problemas', open(200)],
  ['GET /problemas/:nombre', { ...open(200), params: { nombre: 'no-existe' } }],
  ['POST /oauth/token', open(400)],
  ['GET /.well-known/jwks.json', open(200)],
  ['GET /.well-known/oauth-authorization-server', open(200)],
  [
    'POST /interno/v1/consultas',
    site(201, 400, ({ aviso }) => ({
      body: { Aviso: aviso, OrigenLead: 'form', Interesado: { Nombre: 'Ana', Telefono: '4555-1234' } },
    })),
  ],
  ['GET /v3', shared()],
  ['GET /v3/agencias', owned(200, 200)],
  ['POST /v3/agencias', owned(202, 202, { body: { AdminMail: 'invited@agencia.test' } })],
  ['GET /v3/agencias/:adminMail', owned(200, 404)],
  ['PUT /v3/agencias/:adminMail', owned(200, 403, { body: { Nombre: 'Otro' } })],
  ['PATCH /v3/agencias/:adminMail/desasociar', owned(204, 403)],
  ['GET /v3/agencias/:adminMail/productos', owned(200, 404)],
  ['GET /v3/appnotificaciones', owned(200, 200)],
  ['GET /v3/appnotificaciones/:topic', webhook(200, 404)],
  ['POST /v3/appnotificaciones/:topic', webhook(409, 201, { params: { topic: 'webhook.prueba' }, body: UPSERT })],
  ['PUT /v3/appnotificaciones/:topic', webhook(200, 404, { body: UPSERT })],
  ['DELETE /v3/appnotificaciones/:topic', webhook(204, 404, { params: { topic: 'agencia.modificada' } })],
  ['POST /v3/appnotificaciones/:topic/prueba', webhook(202, 404)],
  ['GET /v3/appnotificaciones/:topic/entregas', webhook(200, 200)],
  ['GET /v3/appnotificaciones/:topic/entregas/:id', webhook(200, 404)],
  ['POST /v3/appnotificaciones/:topic/entregas/reenviar', webhook(202, 400)],
  ['GET /v3/eventos', owned(200, 200)],
  ['GET /v3/consultas/:adminMail', owned(200, 404)],
  ['GET /v3/consultas/:adminMail/:sid', owned(200, 404)],
  ['PUT /v3/consultas/:adminMail/:sid/estado', owned(200, 404, { body: { Estado: 'leida' } })],
  ['POST /v3/consultas/:adminMail/:sid/resendwebhook', owned(202, 403)],
  ['GET /v3/publicaciones/:adminMail', owned(200, 404)],
  ['POST /v3/publicaciones/:adminMail', owned(201, 404, { body: HIDDEN })],
  ['POST /v3/publicaciones/:adminMail/lote', owned(200, 404, { body: [HIDDEN] })],
  ['GET /v3/publicaciones/:adminMail/:externalid', owned(200, 404)],
  ['PUT /v3/publicaciones/:adminMail/:externalid', owned(200, 404, { body: { Activa: false } })],
  ['DELETE /v3/publicaciones/:adminMail/:externalid', owned(204, 404)],
  ['GET /v3/publicaciones/:adminMail/:externalid/estadisticas', owned(200, 404)],
  ['GET /v3/operadores', owned(200, 200)],
  ['GET /v3/operadores/:adminMail', owned(200, 404)],
  ['PUT /v3/operadores/:adminMail', owned(200, 404, { body: { Operadores: [] } })],
  ['POST /v3/prueba/consultas', shared({ body: {} })],
  ['GET /v3/sucursales/:adminMail', owned(200, 404)],
  ['POST /v3/sucursales/:adminMail', owned(201, 404, { body: { Nombre: 'Centro' } })],
  ['GET /v3/sucursales/:adminMail/:id', owned(200, 404)],
  ['PUT /v3/sucursales/:adminMail/:id', owned(200, 404, { body: { Nombre: 'Centro' } })],
  ['DELETE /v3/sucursales/:adminMail/:id', owned(204, 404)],
  ['GET /interno/v1/avisos', site(200, 200)],
  ['GET /interno/v1/agencias', site(200, 200)],
  [
    'PUT /interno/v1/agencias/:adminMail/paquete',
    site(200, 404, () => ({ body: { Nombre: 'P', Hasta: '2049-12-31' } })),
  ],
  ['POST /interno/v1/avisos/:id/suspender', site(200, 404)],
  ['POST /interno/v1/avisos/:id/reactivar', site(200, 404)],
  ['POST /interno/v1/visitas', site(200, 200, ({ aviso }) => ({ body: [{ Aviso: aviso }] }))],
  ['GET /v3/carrocerias', shared()],
  ['GET /v3/carrocerias/bestmatch', shared({ query: 'bodystyle=suv' })],
  ['GET /v3/carrocerias/:id', shared({ params: { id: '8' } })],
  ['GET /v3/ciudades', shared({ query: 'q=rosario' })],
  ['GET /v3/ciudades/bestmatch', shared({ query: 'state=AR-S&city=rosario' })],
  ['GET /v3/ciudades/:id', shared({ params: { id: '1' } })],
  ['GET /v3/marcas', shared()],
  ['GET /v3/marcas/bestmatch', shared({ query: 'make=fiat' })],
  ['GET /v3/marcas/:id', shared({ params: { id: '56' } })],
  ['GET /v3/modelos', shared({ query: 'marca=56' })],
  ['GET /v3/modelos/bestmatch', shared({ query: 'make=fiat&model=cronos' })],
  ['GET /v3/modelos/:id', shared({ params: { id: '100001' } })],
  ['GET /v3/versiones', shared({ query: 'modelo=100001' })],
  ['GET /v3/versiones/bestmatch', shared({ query: 'make=fiat&model=cronos&trim=like' })],
  ['GET /v3/versiones/:id', shared({ params: { id: '100001' } })],
  ['GET /v3/regiones', shared()],
  ['GET /v3/regiones/bestmatch', shared({ query: 'state=AR-S' })],
  ['GET /v3/regiones/:id', shared({ params: { id: '1' } })],
  ['GET /v3/colores', shared()],
  ['GET /v3/colores/bestmatch', shared({ query: 'color=rojo' })],
  ['GET /v3/colores/:id', shared({ params: { id: '9' } })],
])

export function pathOf(url: string, { params = {}, query = '' }: Expectation): string {
  const path = url.replace(/:(\w+)/g, (_, name: string) => params[name] ?? `missing-${name}`)
  return query ? `${path}?${query}` : path
}
