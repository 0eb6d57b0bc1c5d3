// Written by `npm run contract` from contract/openapi.json; changes belong there.

import type * as S from './schema.ts'

/** Method and path of each operation, and whether it takes parameters (p) and a body (b). */
export const OPERATIONS: Record<keyof Operations | keyof SiteOperations, readonly [string, string, string]> = {
  verPuntosDeEntrada: ['GET', '/v3', ''],
  listarAgencias: ['GET', '/v3/agencias', 'p'],
  invitarAgencia: ['POST', '/v3/agencias', 'b'],
  verAgencia: ['GET', '/v3/agencias/{adminMail}', 'p'],
  editarAgencia: ['PUT', '/v3/agencias/{adminMail}', 'pb'],
  desasociarAgencia: ['PATCH', '/v3/agencias/{adminMail}/desasociar', 'p'],
  verProductosDeAgencia: ['GET', '/v3/agencias/{adminMail}/productos', 'p'],
  listarWebhooks: ['GET', '/v3/appnotificaciones', ''],
  verWebhook: ['GET', '/v3/appnotificaciones/{topic}', 'p'],
  configurarWebhook: ['POST', '/v3/appnotificaciones/{topic}', 'pb'],
  editarWebhook: ['PUT', '/v3/appnotificaciones/{topic}', 'pb'],
  eliminarWebhook: ['DELETE', '/v3/appnotificaciones/{topic}', 'p'],
  probarWebhook: ['POST', '/v3/appnotificaciones/{topic}/prueba', 'p'],
  listarDestinos: ['GET', '/v3/appnotificaciones/{topic}/destinos', 'p'],
  agregarDestino: ['POST', '/v3/appnotificaciones/{topic}/destinos', 'pb'],
  verDestino: ['GET', '/v3/appnotificaciones/{topic}/destinos/{id}', 'p'],
  editarDestino: ['PUT', '/v3/appnotificaciones/{topic}/destinos/{id}', 'pb'],
  eliminarDestino: ['DELETE', '/v3/appnotificaciones/{topic}/destinos/{id}', 'p'],
  listarEntregas: ['GET', '/v3/appnotificaciones/{topic}/entregas', 'p'],
  verEntrega: ['GET', '/v3/appnotificaciones/{topic}/entregas/{id}', 'p'],
  reenviarEntregas: ['POST', '/v3/appnotificaciones/{topic}/entregas/reenviar', 'p'],
  listarEventos: ['GET', '/v3/eventos', 'p'],
  listarConsultas: ['GET', '/v3/consultas/{adminMail}', 'p'],
  verConsulta: ['GET', '/v3/consultas/{adminMail}/{sid}', 'p'],
  cambiarEstadoDeConsulta: ['PUT', '/v3/consultas/{adminMail}/{sid}/estado', 'pb'],
  reenviarWebhookDeConsulta: ['POST', '/v3/consultas/{adminMail}/{sid}/resendwebhook', 'p'],
  listarPublicaciones: ['GET', '/v3/publicaciones/{adminMail}', 'p'],
  publicar: ['POST', '/v3/publicaciones/{adminMail}', 'pb'],
  publicarLote: ['POST', '/v3/publicaciones/{adminMail}/lote', 'pb'],
  verPublicacion: ['GET', '/v3/publicaciones/{adminMail}/{externalid}', 'p'],
  editarPublicacion: ['PUT', '/v3/publicaciones/{adminMail}/{externalid}', 'pb'],
  archivarPublicacion: ['DELETE', '/v3/publicaciones/{adminMail}/{externalid}', 'p'],
  verEstadisticasDePublicacion: ['GET', '/v3/publicaciones/{adminMail}/{externalid}/estadisticas', 'p'],
  listarOperadores: ['GET', '/v3/operadores', 'p'],
  verOperadores: ['GET', '/v3/operadores/{adminMail}', 'p'],
  editarOperadores: ['PUT', '/v3/operadores/{adminMail}', 'pb'],
  listarSucursales: ['GET', '/v3/sucursales/{adminMail}', 'p'],
  agregarSucursal: ['POST', '/v3/sucursales/{adminMail}', 'pb'],
  verSucursal: ['GET', '/v3/sucursales/{adminMail}/{id}', 'p'],
  editarSucursal: ['PUT', '/v3/sucursales/{adminMail}/{id}', 'pb'],
  eliminarSucursal: ['DELETE', '/v3/sucursales/{adminMail}/{id}', 'p'],
  listarCarrocerias: ['GET', '/v3/carrocerias', ''],
  buscarCarroceria: ['GET', '/v3/carrocerias/bestmatch', 'p'],
  buscarCarrocerias: ['POST', '/v3/carrocerias/bestmatch', 'b'],
  verCarroceria: ['GET', '/v3/carrocerias/{id}', 'p'],
  listarRegiones: ['GET', '/v3/regiones', ''],
  buscarRegion: ['GET', '/v3/regiones/bestmatch', 'p'],
  buscarRegiones: ['POST', '/v3/regiones/bestmatch', 'b'],
  verRegion: ['GET', '/v3/regiones/{id}', 'p'],
  listarCiudades: ['GET', '/v3/ciudades', 'p'],
  buscarCiudad: ['GET', '/v3/ciudades/bestmatch', 'p'],
  buscarCiudades: ['POST', '/v3/ciudades/bestmatch', 'b'],
  verCiudad: ['GET', '/v3/ciudades/{id}', 'p'],
  listarColores: ['GET', '/v3/colores', 'p'],
  buscarColor: ['GET', '/v3/colores/bestmatch', 'p'],
  buscarColores: ['POST', '/v3/colores/bestmatch', 'b'],
  verColor: ['GET', '/v3/colores/{id}', 'p'],
  listarMarcas: ['GET', '/v3/marcas', 'p'],
  buscarMarca: ['GET', '/v3/marcas/bestmatch', 'p'],
  buscarMarcas: ['POST', '/v3/marcas/bestmatch', 'b'],
  verMarca: ['GET', '/v3/marcas/{id}', 'p'],
  listarModelos: ['GET', '/v3/modelos', 'p'],
  buscarModelo: ['GET', '/v3/modelos/bestmatch', 'p'],
  buscarModelos: ['POST', '/v3/modelos/bestmatch', 'b'],
  verModelo: ['GET', '/v3/modelos/{id}', 'p'],
  listarVersiones: ['GET', '/v3/versiones', 'p'],
  buscarVersion: ['GET', '/v3/versiones/bestmatch', 'p'],
  buscarVersiones: ['POST', '/v3/versiones/bestmatch', 'b'],
  verVersion: ['GET', '/v3/versiones/{id}', 'p'],
  generarConsultasDePrueba: ['POST', '/v3/prueba/consultas', 'b'],
  recibirConsulta: ['POST', '/interno/v1/consultas', 'b'],
  listarCambiosDeAvisos: ['GET', '/interno/v1/avisos', 'p'],
  listarCambiosDeAgencias: ['GET', '/interno/v1/agencias', 'p'],
  contratarPaquete: ['PUT', '/interno/v1/agencias/{adminMail}/paquete', 'pb'],
  verFotosDeAviso: ['GET', '/interno/v1/avisos/{id}/fotos', 'p'],
  suspenderAviso: ['POST', '/interno/v1/avisos/{id}/suspender', 'pb'],
  reactivarAviso: ['POST', '/interno/v1/avisos/{id}/reactivar', 'p'],
  contarVisitas: ['POST', '/interno/v1/visitas', 'b'],
}

/** The addresses where an Idempotency-Key is honoured. */
export const IDEMPOTENT: ReadonlySet<string> = new Set(['/interno/v1/consultas', '/interno/v1/visitas'])

/** What partners call. */
export interface Operations {
  /** Puntos de entrada */
  verPuntosDeEntrada: { entry: S.EntryPoints }
  /** Las agencias asociadas con la app */
  listarAgencias: { params: { operador?: string | undefined }; entry: S.Agencias; ref: S.AgenciasRef }
  /** Invitar a una agencia por correo */
  invitarAgencia: { body: S.AgenciaCreate; entry: undefined }
  /** Una agencia asociada, o una invitación de la app */
  verAgencia: { params: { adminMail: string }; entry: S.Agencia; ref: S.AgenciaRef }
  /** Reemplazar los datos de una agencia */
  editarAgencia: { params: { adminMail: string }; body: S.AgenciaEdit; entry: S.Agencia; ref: S.AgenciaRef }
  /** Desasociar una agencia de la app, o revocar su invitación */
  desasociarAgencia: { params: { adminMail: string }; entry: undefined }
  /** El paquete contratado y lo que queda de él */
  verProductosDeAgencia: { params: { adminMail: string }; entry: S.AgenciaProductos }
  /** Los topics disponibles para la app, y los webhooks configurados */
  listarWebhooks: { entry: S.AppWebhooks }
  /** El webhook de un topic */
  verWebhook: { params: { topic: string }; entry: S.AppWebhook }
  /** Configurar el webhook de un topic */
  configurarWebhook: { params: { topic: string }; body: S.AppWebhookUpsert; entry: S.AppWebhook }
  /** Reemplazar la configuración de un webhook */
  editarWebhook: { params: { topic: string }; body: S.AppWebhookUpsert; entry: S.AppWebhook }
  /** Eliminar el webhook de un topic */
  eliminarWebhook: { params: { topic: string }; entry: undefined }
  /** Enviar una notificación de prueba */
  probarWebhook: { params: { topic: string; destino?: number | undefined }; entry: S.AppWebhookPrueba }
  /** Los destinos de un topic */
  listarDestinos: { params: { topic: string }; entry: S.AppWebhookDestinos }
  /** Agregar un destino a un topic */
  agregarDestino: { params: { topic: string }; body: S.AppWebhookDestinoUpsert; entry: S.AppWebhookDestino }
  /** Un destino de un topic */
  verDestino: { params: { topic: string; id: number }; entry: S.AppWebhookDestino }
  /** Reemplazar la configuración de un destino */
  editarDestino: { params: { topic: string; id: number }; body: S.AppWebhookDestinoUpsert; entry: S.AppWebhookDestino }
  /** Eliminar un destino de un topic */
  eliminarDestino: { params: { topic: string; id: number }; entry: undefined }
  /** Las entregas de un topic, la más nueva primero */
  listarEntregas: { params: { topic: string; estado?: string | undefined; adminMail?: string | undefined; evento?: string | undefined; sid?: string | undefined; desde?: string | undefined; hasta?: string | undefined; destino?: number | undefined; cursor?: string | undefined }; entry: S.Entregas }
  /** Una entrega, con lo que respondió el receptor en cada intento */
  verEntrega: { params: { topic: string; id: string }; entry: S.EntregaDetalle }
  /** Reenviar las entregas que coinciden con los filtros */
  reenviarEntregas: { params: { topic: string; estado?: string | undefined; adminMail?: string | undefined; evento?: string | undefined; sid?: string | undefined; desde?: string | undefined; hasta?: string | undefined; destino?: number | undefined; cursor?: string | undefined; simular?: boolean | undefined; todo?: boolean | undefined }; entry: S.EntregasReenvio }
  /** Todos los eventos de la app, los más viejos primero */
  listarEventos: { params: { cursor?: string | undefined }; entry: S.Eventos }
  /** Las consultas que recibió una agencia */
  listarConsultas: { params: { adminMail: string; operador?: string | undefined; externalid?: string | undefined; desde?: string | undefined; hasta?: string | undefined; pagina?: number | undefined }; entry: S.Consultas; ref: S.ConsultasRef }
  /** Una consulta, mientras se conserve */
  verConsulta: { params: { adminMail: string; sid: string }; entry: S.Consulta; ref: S.ConsultaRef; adf: string }
  /** Cambiar el estado de una consulta */
  cambiarEstadoDeConsulta: { params: { adminMail: string; sid: string }; body: S.EstadoDeConsulta; entry: S.Consulta; ref: S.ConsultaRef }
  /** Reenviar la notificación de una consulta de los últimos 30 días */
  reenviarWebhookDeConsulta: { params: { adminMail: string; sid: string }; entry: S.EventoConsultaRecibida }
  /** Lo que la app publica de una agencia, lo más nuevo primero */
  listarPublicaciones: { params: { adminMail: string; operador?: string | undefined; estado?: 'Activa' | 'Suspendida' | 'Archivada' | undefined; q?: string | undefined; pagina?: number | undefined }; entry: S.Publicaciones; ref: S.PublicacionesRef }
  /** Publicar un auto de una agencia */
  publicar: { params: { adminMail: string }; body: S.PublicacionCreate; entry: S.Publicacion; ref: S.PublicacionRef }
  /** Publicar, editar y archivar muchas publicaciones de una vez */
  publicarLote: { params: { adminMail: string; modo?: 'parcial' | 'completo' | undefined; confirmar?: boolean | undefined; simular?: boolean | undefined }; body: (S.PublicacionFila)[]; entry: S.PublicacionesLote }
  /** Una publicación de la app */
  verPublicacion: { params: { adminMail: string; externalid: string }; entry: S.Publicacion; ref: S.PublicacionRef }
  /** Reemplazar lo que dice una publicación */
  editarPublicacion: { params: { adminMail: string; externalid: string }; body: S.PublicacionEdit; entry: S.Publicacion; ref: S.PublicacionRef }
  /** Archivar una publicación */
  archivarPublicacion: { params: { adminMail: string; externalid: string }; entry: undefined }
  /** Cuánto se vio y se consultó una publicación, día por día */
  verEstadisticasDePublicacion: { params: { adminMail: string; externalid: string; desde?: string | undefined; hasta?: string | undefined }; entry: S.PublicacionEstadisticas }
  /** Quiénes trabajan en las agencias asociadas con la app */
  listarOperadores: { params: { operador?: string | undefined }; entry: S.OperadoresLista }
  /** Quiénes trabajan en una agencia */
  verOperadores: { params: { adminMail: string }; entry: S.Operadores }
  /** Cambiar cómo se presentan las personas de una agencia */
  editarOperadores: { params: { adminMail: string }; body: S.OperadoresEdit; entry: S.Operadores }
  /** Las sucursales de una agencia */
  listarSucursales: { params: { adminMail: string }; entry: S.Sucursales }
  /** Agregar una sucursal a una agencia */
  agregarSucursal: { params: { adminMail: string }; body: S.SucursalUpsert; entry: S.Sucursal }
  /** Una sucursal de una agencia */
  verSucursal: { params: { adminMail: string; id: number }; entry: S.Sucursal }
  /** Reemplazar los datos de una sucursal */
  editarSucursal: { params: { adminMail: string; id: number }; body: S.SucursalUpsert; entry: S.Sucursal }
  /** Quitar una sucursal de una agencia */
  eliminarSucursal: { params: { adminMail: string; id: number }; entry: undefined }
  /** Carrocerías */
  listarCarrocerias: { entry: S.Carrocerias }
  /** La carrocería que corresponde a un valor de su sistema */
  buscarCarroceria: { params: { bodystyle: string }; entry: S.Carroceria }
  /** Carrocerías que corresponden a valores de su sistema, hasta 500 por vez */
  buscarCarrocerias: { body: S.CarroceriasValores; entry: S.Coincidencias }
  /** La carrocería con ese id */
  verCarroceria: { params: { id: number }; entry: S.Carroceria }
  /** Regiones */
  listarRegiones: { entry: S.Regiones; ref: S.RegionesRef }
  /** La región que corresponde a un valor de su sistema */
  buscarRegion: { params: { state: string }; entry: S.Region; ref: S.RegionRef }
  /** Regiones que corresponden a valores de su sistema, hasta 500 por vez */
  buscarRegiones: { body: S.RegionesValores; entry: S.Coincidencias }
  /** La región con ese id */
  verRegion: { params: { id: number }; entry: S.Region; ref: S.RegionRef }
  /** Ciudades */
  listarCiudades: { params: { region?: number | undefined; q?: string | undefined }; entry: S.Ciudades; ref: S.CiudadesRef }
  /** La ciudad que corresponde a un valor de su sistema */
  buscarCiudad: { params: { state: string; city: string }; entry: S.Ciudad; ref: S.CiudadRef }
  /** Ciudades que corresponden a valores de su sistema, hasta 500 por vez */
  buscarCiudades: { body: S.CiudadesValores; entry: S.Coincidencias }
  /** La ciudad con ese id */
  verCiudad: { params: { id: number }; entry: S.Ciudad; ref: S.CiudadRef }
  /** Colores */
  listarColores: { params: { q?: string | undefined; nombre?: string | undefined }; entry: S.Colores; ref: S.ColoresRef }
  /** El color que corresponde a un valor de su sistema */
  buscarColor: { params: { color: string }; entry: S.Color; ref: S.ColorRef }
  /** Colores que corresponden a valores de su sistema, hasta 500 por vez */
  buscarColores: { body: S.ColoresValores; entry: S.Coincidencias }
  /** El color con ese id */
  verColor: { params: { id: number }; entry: S.Color; ref: S.ColorRef }
  /** Marcas */
  listarMarcas: { params: { q?: string | undefined; soloMercadoNuevos?: boolean | undefined }; entry: S.Marcas; ref: S.MarcasRef }
  /** La marca que corresponde a un valor de su sistema */
  buscarMarca: { params: { make: string }; entry: S.Marca; ref: S.MarcaRef }
  /** Marcas que corresponden a valores de su sistema, hasta 500 por vez */
  buscarMarcas: { body: S.MarcasValores; entry: S.Coincidencias }
  /** La marca con ese id */
  verMarca: { params: { id: number }; entry: S.Marca; ref: S.MarcaRef }
  /** Modelos */
  listarModelos: { params: { marca?: number | undefined; q?: string | undefined; soloMercadoNuevos?: boolean | undefined }; entry: S.Modelos; ref: S.ModelosRef }
  /** El modelo que corresponde a un valor de su sistema */
  buscarModelo: { params: { make: string; model: string; bodystyle?: string | undefined }; entry: S.Modelo; ref: S.ModeloRef }
  /** Modelos que corresponden a valores de su sistema, hasta 500 por vez */
  buscarModelos: { body: S.ModelosValores; entry: S.Coincidencias }
  /** El modelo con ese id */
  verModelo: { params: { id: number }; entry: S.Modelo; ref: S.ModeloRef }
  /** Versiones */
  listarVersiones: { params: { modelo: number }; entry: S.Versiones; ref: S.VersionesRef }
  /** La versión que corresponde a un valor de su sistema, a datos técnicos o a ambos */
  buscarVersion: { params: { make: string; model: string; trim?: string | undefined; year?: number | undefined; bodystyle?: string | undefined; transmissionType?: string | undefined; displacement?: string | undefined; power?: string | undefined; fuelType?: string | undefined }; entry: S.VersionBestmatch }
  /** Versiones que corresponden a valores de su sistema, hasta 500 por vez */
  buscarVersiones: { body: S.VersionesValores; entry: S.Coincidencias }
  /** La versión con ese id */
  verVersion: { params: { id: number }; entry: S.Version; ref: S.VersionRef }
  /** Generar consultas en modo de prueba */
  generarConsultasDePrueba: { body: S.PruebaConsultas; entry: S.ConsultasGeneradas }
}

/** What the marketplace's own site calls. */
export interface SiteOperations {
  /** Entregar una consulta */
  recibirConsulta: { body: S.ConsultaCreate; entry: S.Consulta; idempotent: true }
  /** Los avisos que cambiaron, como son ahora */
  listarCambiosDeAvisos: { params: { cursor?: string | undefined }; entry: S.AvisosSitio }
  /** Las agencias que cambiaron, como son ahora */
  listarCambiosDeAgencias: { params: { cursor?: string | undefined }; entry: S.AgenciasSitio }
  /** Reemplazar el paquete de una agencia */
  contratarPaquete: { params: { adminMail: string }; body: S.PaqueteUpsert; entry: S.AgenciaProductos }
  /** Las fotos de un aviso, con las copias que sirve este servidor */
  verFotosDeAviso: { params: { id: number }; entry: S.AvisoFotos }
  /** Dejar de mostrar un aviso, hasta que el mercado lo reactive */
  suspenderAviso: { params: { id: number }; body: S.Moderacion | null; entry: S.AvisoSitio }
  /** Volver a mostrar un aviso que el mercado suspendió */
  reactivarAviso: { params: { id: number }; entry: S.AvisoSitio }
  /** Contar visitas de avisos */
  contarVisitas: { body: S.Visitas; entry: S.VisitasContadas; idempotent: true }
}

/** The topics that an app is notified of. */
export type Topic = 'agencia.registrada' | 'agencia.modificada' | 'agencia.desasociada' | 'consulta.recibida' | 'consulta.modificada' | 'consulta.suprimida' | 'publicacion.activada' | 'publicacion.suspendida' | 'publicacion.archivada' | 'webhook.prueba'

/** A delivery, distinguished by its `Topic`. */
export type WebhookEvent = S.EventoAgenciaRegistrada | S.EventoAgenciaModificada | S.EventoAgenciaDesasociada | S.EventoConsultaRecibida | S.EventoConsultaModificada | S.EventoConsultaSuprimida | S.EventoPublicacionActivada | S.EventoPublicacionSuspendida | S.EventoPublicacionArchivada | S.EventoWebhookPrueba

/** The kinds of refusal. */
export type ProblemName = 'solicitud-invalida' | 'sin-autorizacion' | 'prohibido' | 'no-existe' | 'metodo-no-permitido' | 'no-aceptable' | 'conflicto' | 'version-distinta' | 'demasiado-grande' | 'tipo-no-admitido' | 'demasiadas-solicitudes' | 'error-interno' | 'no-disponible'
