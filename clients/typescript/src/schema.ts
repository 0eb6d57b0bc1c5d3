// Written by `npm run contract` from contract/openapi.json; changes belong there.

export type Link = {
  /** URI relativa, o plantilla de URI */
  href: string
  /** Presente y true cuando href es una plantilla */
  templated?: boolean | undefined
  /** Presente cuando no es GET */
  method?: string | undefined
}

export type Links = Record<string, Link>

/** Un recurso aparte: se lee por su enlace self */
export type Recurso = {
  _links: Links
}

export type AgenciaRef = {
  /** URI del recurso */
  href: string
  /** Etiqueta legible */
  title: string
}

export type ConsultaRef = {
  /** URI del recurso */
  href: string
  /** Etiqueta legible */
  title: string
}

export type PublicacionRef = {
  /** URI del recurso */
  href: string
  /** Etiqueta legible */
  title: string
}

export type CarroceriaRef = {
  /** URI del recurso */
  href: string
  /** Etiqueta legible */
  title: string
}

export type RegionRef = {
  /** URI del recurso */
  href: string
  /** Etiqueta legible */
  title: string
}

export type CiudadRef = {
  /** URI del recurso */
  href: string
  /** Etiqueta legible */
  title: string
}

export type ColorRef = {
  /** URI del recurso */
  href: string
  /** Etiqueta legible */
  title: string
}

export type MarcaRef = {
  /** URI del recurso */
  href: string
  /** Etiqueta legible */
  title: string
}

export type ModeloRef = {
  /** URI del recurso */
  href: string
  /** Etiqueta legible */
  title: string
}

export type VersionRef = {
  /** URI del recurso */
  href: string
  /** Etiqueta legible */
  title: string
}

/** Una entrada que se parece a un dato */
export type CandidatoDeDato = {
  href: string
  title: string
  /** Qué tan seguro es */
  Score: number
  /** El dato al que corresponde; falta si la solicitud tiene uno solo */
  Campo?: string | undefined
}

export type ProblemDetails = {
  Type: string
  Title: string
  Status: number
  Detail: string
  Instance: string
  Extensions: {
  /** Todo problema que no es un 400 lo tiene. No cambia de significado; la lista está en /problemas. */
  Codigo?: string | undefined
  /** Con 406: los tipos que se ofrecen */
  Tipos?: (string)[] | undefined
  /** Con 413: cuántos bytes puede tener el cuerpo */
  MaxBytes?: number | undefined
  /** Con 500: el número de la solicitud; inclúyalo al avisarnos */
  RequestId?: string | undefined
}
}

export type ValidationProblemDetails = {
  /** Mensajes por propiedad; la clave _ reúne los de toda la solicitud */
  Errors: Record<string, (string)[]>
  Type: string
  Title: string
  Status: number
  Detail: string
  Instance: string
  /** Con external-id-en-uso, Publicacion es la que ya usa ese ExternalId */
  Extensions: {
  /** Todo problema que no es un 400 lo tiene. No cambia de significado; la lista está en /problemas. */
  Codigo?: string | undefined
  /** Las claves de Errors, con un código por mensaje. No cambian de significado; puede haber nuevos. */
  Codigos: Record<string, (string)[]>
  /** Con sin-coincidencia: lo que más se parece, hasta 5 entradas por dato */
  Candidatos?: (CandidatoDeDato)[] | undefined
  /** Con ya-registrada: la página donde quien administra la agencia la asocia a la app */
  Conectar?: string | undefined
  Publicacion?: PublicacionRef | undefined
  /** Con sin-confirmar: cuántas publicaciones archivaría el lote */
  Archivaria?: number | undefined
  /** Con sin-confirmar: cuántas publicaciones vigentes de la agencia tiene la app */
  Vivas?: number | undefined
}
}

/** Una entrada que se parece */
export type Candidato = {
  href: string
  title: string
  /** Qué tan seguro es */
  Score: number
}

/** Match es null si no hay certeza */
export type Coincidencia = {
  Match: {
  href: string
  title: string
  /** Qué tan seguro es */
  Score: number
  /** Por qué se eligió */
  Rule: string
} | null
  /** Lo que más se parece, lo mejor primero */
  Candidatos: (Candidato)[]
}

export type Coincidencias = {
  /** Una por valor, en el mismo orden */
  _entries: (Coincidencia)[]
}

export type EntryPoints = {
  _links: Links
}

export type AgenciaCreate = {
  /** Quien va a administrar la agencia: recibe la invitación */
  AdminMail: string
  Nombre?: string | null | undefined
  AdminNombre?: string | null | undefined
  AdminApellido?: string | null | undefined
  Telefono?: string | null | undefined
  /** Como en regiones/bestmatch */
  Region?: string | null | undefined
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad?: string | null | undefined
  Direccion?: string | null | undefined
  /** Se cita en el correo como texto, sin enlaces */
  Mensaje?: string | null | undefined
}

/** Lo que falta queda en null. */
export type AgenciaEdit = {
  Nombre: string
  RazonSocial?: string | null | undefined
  /** En Argentina, un CUIT */
  IdFiscal?: string | null | undefined
  Telefono?: string | null | undefined
  WhatsApp?: string | null | undefined
  SitioWeb?: string | null | undefined
  /** Como en regiones/bestmatch */
  Region?: string | null | undefined
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad?: string | null | undefined
  Direccion?: string | null | undefined
  CodigoPostal?: string | null | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  AdminMail?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Estado?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Invitacion?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Administrador?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Operadores?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Consultas?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Productos?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  _links?: unknown | undefined
}

export type AgenciaInvitacion = {
  Estado: 'pendiente' | 'aceptada' | 'vencida' | 'revocada' | 'rebotada'
  Enviada: string
  Vence: string
}

export type Agencia = {
  AdminMail: string
  Nombre: string | null
  RazonSocial: string | null
  /** En Argentina, un CUIT */
  IdFiscal: string | null
  Telefono: string | null
  WhatsApp: string | null
  SitioWeb: string | null
  /** Como en regiones/bestmatch */
  Region: string | null
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad: string | null
  Direccion: string | null
  CodigoPostal: string | null
  Estado: 'invitada' | 'asociada'
  Invitacion: AgenciaInvitacion | null
  Administrador: {
  Nombre: string | null
  Apellido: string | null
  Email: string
}
  Operadores: ({
  Nombre: string | null
  Apellido: string | null
  Email: string
  Rol: 'administrador' | 'vendedor'
})[]
  Consultas: Recurso
  Productos: Recurso
  _links: Links
}

export type Agencias = {
  _links: Links
  _entries: (Agencia)[]
}

export type AgenciasRef = {
  _links: Links
  _entries: (AgenciaRef)[]
}

export type EstadoDeAgencia = {
  Estado: 'invitada' | 'asociada'
  Invitacion: AgenciaInvitacion | null
}

export type AgenciaProductos = {
  Paquete: {
  Nombre: string | null
  Estado: 'vigente' | 'vencido' | 'sin-contratar'
  Desde: string | null
  Hasta: string | null
}
  Publicaciones: ({
  Exposicion: 'Alta' | 'Media' | 'Baja'
  Contratadas: number
  Usadas: number
  Disponibles: number
})[]
  /** Indica si el paquete incluye consultas sobre modelos del catálogo */
  ConsultasDeCatalogo: boolean
  _links: Links
}

/** Encabezado propio que acompaña cada notificación */
export type HeaderCustom = {
  Name: string
  Value: string
}

/** Lo que falta queda en null, o en su valor por omisión, salvo Secret. */
export type AppWebhookUpsert = {
  /** Dirección https que recibe las notificaciones */
  Callback: string
  /** Firma las notificaciones; de 16 a 256 caracteres. En el POST, si falta, se crea uno; en el PUT, si falta o va como se leyó, no cambia. null: sin firma */
  Secret?: string | null | undefined
  Description?: string | null | undefined
  /** false: no se envía nada, y lo pendiente se descarta */
  Activo?: boolean | undefined
  HeaderCustom01?: HeaderCustom | null | undefined
  HeaderCustom02?: HeaderCustom | null | undefined
  HeaderCustom03?: HeaderCustom | null | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Topic?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  SecretEstandar?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Salud?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  _links?: unknown | undefined
}

export type AppWebhookSalud = {
  /** deshabilitado: falló durante 5 días, o respondió 410. Un PUT con Activo true lo habilita */
  Estado: 'sin-entregas' | 'bien' | 'fallando' | 'deshabilitado'
  FallasSeguidas: number
  UltimaEntrega: string | null
  UltimoError: string | null
}

export type AppWebhook = {
  /** Qué se notifica */
  Topic: string
  /** Dirección https que recibe las notificaciones */
  Callback: string
  /** Completo solo en el 201 que lo crea; después, ******** y sus últimos cuatro caracteres */
  Secret: string | null
  /** El Secret propio como lo esperan las bibliotecas de Standard Webhooks: whsec_ y sus bytes en base64. Solo en la respuesta que lo configura */
  SecretEstandar?: string | undefined
  Description: string | null
  /** false: no se envía nada, y lo pendiente se descarta */
  Activo: boolean
  HeaderCustom01: HeaderCustom | null
  HeaderCustom02: HeaderCustom | null
  HeaderCustom03: HeaderCustom | null
  Salud: AppWebhookSalud
  _links: Links
}

/** Lo que falta queda en null, o en su valor por omisión, salvo Secret y Version. */
export type AppWebhookDestinoUpsert = {
  /** Dirección https que recibe las notificaciones */
  Callback: string
  /** Firma las notificaciones; de 16 a 256 caracteres. En el POST, si falta, se crea uno; en el PUT, si falta o va como se leyó, no cambia. null: sin firma */
  Secret?: string | null | undefined
  Description?: string | null | undefined
  /** false: no se envía nada, y lo pendiente se descarta */
  Activo?: boolean | undefined
  HeaderCustom01?: HeaderCustom | null | undefined
  HeaderCustom02?: HeaderCustom | null | undefined
  HeaderCustom03?: HeaderCustom | null | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Topic?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  SecretEstandar?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Salud?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  _links?: unknown | undefined
  /** Solo llegan los eventos de estas agencias, por su AdminMail. null: los de todas; vacía: ninguno */
  Agencias?: (string)[] | null | undefined
  /** true: los eventos de cada agencia llegan de a uno, en el orden de /v3/eventos. Mientras uno se reintenta, los siguientes de esa agencia esperan */
  EnOrden?: boolean | undefined
  /** Si falta: en el POST, la última; en el PUT, queda la que está */
  Version?: number | null | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Id?: unknown | undefined
}

/** Uno de los webhooks de un topic */
export type AppWebhookDestino = {
  /** El número del destino en su topic. 1: el de /v3/appnotificaciones/{topic}. El de uno eliminado se vuelve a usar */
  Id: number
  /** Qué se notifica */
  Topic: string
  /** Dirección https que recibe las notificaciones */
  Callback: string
  /** Completo solo en el 201 que lo crea; después, ******** y sus últimos cuatro caracteres */
  Secret: string | null
  /** El Secret propio como lo esperan las bibliotecas de Standard Webhooks: whsec_ y sus bytes en base64. Solo en la respuesta que lo configura */
  SecretEstandar?: string | undefined
  Description: string | null
  /** false: no se envía nada, y lo pendiente se descarta */
  Activo: boolean
  HeaderCustom01: HeaderCustom | null
  HeaderCustom02: HeaderCustom | null
  HeaderCustom03: HeaderCustom | null
  /** Solo llegan los eventos de estas agencias, por su AdminMail. null: los de todas; vacía: ninguno */
  Agencias: (string)[] | null
  /** true: los eventos de cada agencia llegan de a uno, en el orden de /v3/eventos. Mientras uno se reintenta, los siguientes de esa agencia esperan */
  EnOrden: boolean
  /** La versión de lo que se envía. Queda fija hasta que la app la cambie con PUT */
  Version: number
  Salud: AppWebhookSalud
  _links: Links
}

export type AppWebhookDestinos = {
  _links: Links
  _entries: (AppWebhookDestino)[]
}

export type AppWebhookTopic = {
  /** Qué se notifica */
  Topic: string
  Descripcion: string
  Configurado: boolean
  Webhook: AppWebhook | null
  _links: Links
}

export type AppWebhooks = {
  _links: Links
  _entries: (AppWebhookTopic)[]
}

/** La notificación de prueba, como está en el registro y en eventos */
export type AppWebhookPrueba = {
  Id: string
  _links: Links
}

export type Entrega = {
  /** El Id del evento; para un destino distinto del 1, también su número: 01JNG3Y4Z5A6B7C8D9E0F1G2H3-2 */
  Id: string
  /** El Id del evento, que es también webhook-id */
  Evento: string
  /** Qué se notifica */
  Topic: string
  /** El número del destino en su topic */
  Destino: number
  Agencia: AgenciaRef | null
  Estado: 'pendiente' | 'entregada' | 'fallida' | 'descartada'
  /** Del primero al último, reenvíos incluidos */
  Intentos: ({
  Momento: string
  DuracionMs: number
  /** null si no hubo respuesta */
  Status: number | null
  Error: string | null
})[]
  /** Solo mientras está pendiente y no espera a una anterior (EnOrden) */
  ProximoIntento: string | null
  _links: Links
}

export type Entregas = {
  _links: Links
  _entries: (Entrega)[]
}

export type EntregaDetalle = {
  /** El Id del evento; para un destino distinto del 1, también su número: 01JNG3Y4Z5A6B7C8D9E0F1G2H3-2 */
  Id: string
  /** El Id del evento, que es también webhook-id */
  Evento: string
  /** Qué se notifica */
  Topic: string
  /** El número del destino en su topic */
  Destino: number
  Agencia: AgenciaRef | null
  Estado: 'pendiente' | 'entregada' | 'fallida' | 'descartada'
  Intentos: ({
  Momento: string
  DuracionMs: number
  /** null si no hubo respuesta */
  Status: number | null
  Error: string | null
  /** La dirección IP con la que se conectó */
  Direccion: string | null
  /** Los primeros 4 KiB de lo que respondió */
  Respuesta: string | null
})[]
  /** Solo mientras está pendiente y no espera a una anterior (EnOrden) */
  ProximoIntento: string | null
  _links: Links
  /** Lo que se envía, tal cual */
  Payload: Record<string, unknown>
}

export type EntregasReenvio = {
  /** Cuántos eventos se reenvían, o se reenviarían */
  Cantidad: number
  Simulado: boolean
  _links: Links
}

/** Una agencia quedó asociada con la app: aceptó su invitación o se conectó. */
export type EventoAgenciaRegistrada = {
  /** ULID; el mismo en cada intento y reenvío */
  Id: string
  Topic: 'agencia.registrada'
  Version: 1
  Momento: string
  Agencia: AgenciaRef
  AdminMail: string
  /** Presente en las notificaciones de prueba */
  Prueba?: boolean | undefined
}

/** Cambiaron los datos de una agencia asociada. */
export type EventoAgenciaModificada = {
  /** ULID; el mismo en cada intento y reenvío */
  Id: string
  Topic: 'agencia.modificada'
  Version: 1
  Momento: string
  Agencia: AgenciaRef
  AdminMail: string
  /** Si cambió quien la administra: la dirección anterior, que sirve 90 días más */
  AdminMailAnterior?: string | undefined
  /** Presente en las notificaciones de prueba */
  Prueba?: boolean | undefined
}

/** La agencia o el mercado terminaron la asociación con la app. */
export type EventoAgenciaDesasociada = {
  /** ULID; el mismo en cada intento y reenvío */
  Id: string
  Topic: 'agencia.desasociada'
  Version: 1
  Momento: string
  Agencia: AgenciaRef
  AdminMail: string
  /** Quién terminó la asociación */
  Por: 'agencia' | 'mercado'
  /** Presente en las notificaciones de prueba */
  Prueba?: boolean | undefined
}

/** Una agencia recibió una consulta. */
export type EventoConsultaRecibida = {
  /** ULID; el mismo en cada intento y reenvío */
  Id: string
  Topic: 'consulta.recibida'
  Version: 1
  Momento: string
  Agencia: AgenciaRef
  AdminMail: string
  Consulta: Consulta
  /** Presente en las notificaciones de prueba */
  Prueba?: boolean | undefined
}

/** Cambió el estado de una consulta, o quién la tiene a cargo. */
export type EventoConsultaModificada = {
  /** ULID; el mismo en cada intento y reenvío */
  Id: string
  Topic: 'consulta.modificada'
  Version: 1
  Momento: string
  Agencia: AgenciaRef
  AdminMail: string
  Consulta: Consulta
  /** Presente en las notificaciones de prueba */
  Prueba?: boolean | undefined
}

/** Se borraron los datos personales de una consulta. */
export type EventoConsultaSuprimida = {
  /** ULID; el mismo en cada intento y reenvío */
  Id: string
  Topic: 'consulta.suprimida'
  Version: 1
  Momento: string
  Agencia: AgenciaRef
  AdminMail: string
  /** La consulta, ya sin datos personales */
  Consulta: {
  href: string
}
  /** Presente en las notificaciones de prueba */
  Prueba?: boolean | undefined
}

/** Una publicación de la app volvió a mostrarse, sin que la app lo pidiera. */
export type EventoPublicacionActivada = {
  /** ULID; el mismo en cada intento y reenvío */
  Id: string
  Topic: 'publicacion.activada'
  Version: 1
  Momento: string
  Agencia: AgenciaRef
  AdminMail: string
  Publicacion: PublicacionRef
  ExternalId: string
  /** Quién lo hizo */
  Por: 'agencia' | 'mercado'
  /** Presente en las notificaciones de prueba */
  Prueba?: boolean | undefined
}

/** Una publicación de la app dejó de mostrarse, sin que la app lo pidiera. */
export type EventoPublicacionSuspendida = {
  /** ULID; el mismo en cada intento y reenvío */
  Id: string
  Topic: 'publicacion.suspendida'
  Version: 1
  Momento: string
  Agencia: AgenciaRef
  AdminMail: string
  Publicacion: PublicacionRef
  ExternalId: string
  /** Quién lo hizo */
  Por: 'agencia' | 'mercado'
  /** Presente en las notificaciones de prueba */
  Prueba?: boolean | undefined
}

/** Una publicación de la app se archivó, sin que la app lo pidiera. */
export type EventoPublicacionArchivada = {
  /** ULID; el mismo en cada intento y reenvío */
  Id: string
  Topic: 'publicacion.archivada'
  Version: 1
  Momento: string
  Agencia: AgenciaRef
  AdminMail: string
  Publicacion: PublicacionRef
  ExternalId: string
  /** Quién lo hizo */
  Por: 'agencia' | 'mercado'
  /** Presente en las notificaciones de prueba */
  Prueba?: boolean | undefined
}

/** Una notificación de prueba: se envía cuando la app prueba este topic y, en producción, a cada Callback nuevo. */
export type EventoWebhookPrueba = {
  /** ULID; el mismo en cada intento y reenvío */
  Id: string
  Topic: 'webhook.prueba'
  Version: 1
  Momento: string
  Agencia: AgenciaRef
  AdminMail: string
  /** El webhook cuyo Callback se comprueba, porque todavía no respondió 2xx */
  Webhook?: {
  href: string
} | undefined
  /** Presente en las notificaciones de prueba */
  Prueba?: boolean | undefined
}

/** Se distinguen por su Topic */
export type Evento = EventoAgenciaRegistrada | EventoAgenciaModificada | EventoAgenciaDesasociada | EventoConsultaRecibida | EventoConsultaModificada | EventoConsultaSuprimida | EventoPublicacionActivada | EventoPublicacionSuspendida | EventoPublicacionArchivada | EventoWebhookPrueba

export type Eventos = {
  _links: Links
  _entries: (Evento)[]
}

export type Money = {
  /** Código ISO 4217 */
  Moneda: string
  Importe: number
}

/** El auto como era al recibirse la consulta: no cambia con la publicación */
export type Auto = {
  /** El de la publicación; vacío en las consultas de catálogo */
  ExternalId: string
  RefStock: string | null
  Marca: string
  Modelo: string
  Version: string | null
  VersionYear: number | null
  Kilometraje: number | null
  Color: string | null
  BodyType: string | null
  Estado: 'usado' | 'nuevo' | 'seminuevo'
  Precio: Money | null
  Anticipo: Money | null
  Cuota: Money | null
}

export type InfoOperacion = {
  /** El vehículo que ofrece en parte de pago */
  EntregaVehiculo: {
  Marca: string
  Modelo: string
  VersionYear: number | null
} | null
  FinanciacionDeseada: {
  Adelanto: Money | null
  Cuota: Money | null
} | null
  QuiereCotizacionSeguro: boolean | null
}

/** Datos personales. Si se borraron a pedido de la persona: Nombre, Apellido y Email vacíos, lo demás null */
export type Interesado = {
  Interes: 'compra' | 'financiacion' | 'permuta' | 'prueba-de-manejo' | 'otro' | null
  Nombre: string
  Apellido: string
  /** Vacío si no lo dio */
  Email: string
  Telefono: string | null
  DocIdentidad: string | null
  Provincia: string | null
  Ciudad: string | null
  Comentario: string | null
  InfoOperacion: InfoOperacion | null
  /** Telefono en formato E.164, entendido según el país del mercado; null si no se entiende */
  TelefonoE164?: string | null | undefined
}

export type Consulta = {
  /** Cuándo se recibió */
  Momento: string
  OrigenLead: 'form' | 'whatsapp' | 'telefono' | 'chat' | 'email' | 'otro'
  TipoAnuncio: 'publicacion' | 'catalogo'
  Auto: Auto
  Interesado: Interesado
  OperadorResponsable: string | null
  /** El estado de la consulta en la agencia */
  Estado: 'nueva' | 'leida' | 'contactada' | 'vendida' | 'descartada'
  _links: Links
}

export type Consultas = {
  /** El primer instante del período */
  Desde: string
  /** El último instante del período */
  Hasta: string
  Pagina: number
  /** Cuántas hay en el período, en todas las páginas */
  Total: number
  PerPagina: number
  _links: Links
  _entries: (Consulta)[]
}

export type ConsultasRef = {
  /** El primer instante del período */
  Desde: string
  /** El último instante del período */
  Hasta: string
  Pagina: number
  /** Cuántas hay en el período, en todas las páginas */
  Total: number
  PerPagina: number
  _links: Links
  _entries: (ConsultaRef)[]
}

export type EstadoDeConsulta = {
  /** El estado de la consulta en la agencia */
  Estado: 'nueva' | 'leida' | 'contactada' | 'vendida' | 'descartada'
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Momento?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  OrigenLead?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  TipoAnuncio?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Auto?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Interesado?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  OperadorResponsable?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  _links?: unknown | undefined
}

export type Publicacion = {
  /** El número público del aviso */
  Aviso: number
  /** El identificador propio de la publicación: no distingue mayúsculas, y solo tiene caracteres válidos en una dirección */
  ExternalId: string
  /** Número de stock de la agencia */
  RefStock: string | null
  Estado: 'Activa' | 'Suspendida' | 'Archivada'
  /** Indica si se muestra */
  Activa: boolean
  Suspension: {
  /** Si es el mercado o la agencia, nadie más puede volver a mostrar el auto */
  Por: 'mercado' | 'agencia' | 'desasociada' | 'paquete' | 'app'
  Motivo: string | null
} | null
  /** La que se pide; si no queda, se asigna la mejor de las inferiores. null: la mejor que permita el paquete */
  Exposicion: 'Alta' | 'Media' | 'Baja' | null
  /** La que tiene; null si no se muestra */
  ExposicionOtorgada: 'Alta' | 'Media' | 'Baja' | null
  /** Quien recibe las consultas; trabaja en la agencia. Si falta al publicar, quien la administra; al editar, no cambia */
  OperadorResponsable: string
  /** Como en marcas/bestmatch */
  Marca: string
  /** Como en modelos/bestmatch; uno que no está queda como texto */
  Modelo: string
  /** Una que no está en el catálogo queda como texto */
  Version: string | null
  VersionYear: number | null
  /** 0 solo si es nuevo */
  Kilometraje: number | null
  /** Como en colores/bestmatch */
  Color: string | null
  /** Como en carrocerias/bestmatch */
  Carroceria: string | null
  /** Como fuelType en versiones/bestmatch */
  Propulsion: string | null
  /** Como transmissionType en versiones/bestmatch */
  Transmision: string | null
  Precio: {
  Moneda: string
  Importe: number
} | null
  Descripcion: string | null
  /** Como en regiones/bestmatch; si falta, la de la agencia */
  Region: string | null
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad: string | null
  /** Direcciones https, la principal primero */
  Fotos: (string)[]
  DatosTecnicosCustom: ({
  Nombre: string
  Valor: string
})[]
  Creada: string
  Modificada: string
  _links: Links
}

export type Publicaciones = {
  Pagina: number
  /** Cuántas hay, en todas las páginas */
  Total: number
  PerPagina: number
  _links: Links
  _entries: (Publicacion)[]
}

export type PublicacionesRef = {
  Pagina: number
  /** Cuántas hay, en todas las páginas */
  Total: number
  PerPagina: number
  _links: Links
  _entries: (PublicacionRef)[]
}

export type PublicacionCreate = {
  /** El identificador propio de la publicación: no distingue mayúsculas, y solo tiene caracteres válidos en una dirección */
  ExternalId: string
  /** Como en marcas/bestmatch */
  Marca: string
  /** Como en modelos/bestmatch; uno que no está queda como texto */
  Modelo: string
  /** Una que no está en el catálogo queda como texto */
  Version?: string | null | undefined
  /** Indica si se muestra; true si falta. false la suspende y libera su lugar del paquete */
  Activa?: boolean | undefined
  /** Número de stock de la agencia */
  RefStock?: string | null | undefined
  /** La que se pide; si no queda, se asigna la mejor de las inferiores. null: la mejor que permita el paquete */
  Exposicion?: 'Alta' | 'Media' | 'Baja' | null | undefined
  /** Quien recibe las consultas; trabaja en la agencia. Si falta al publicar, quien la administra; al editar, no cambia */
  OperadorResponsable?: string | null | undefined
  VersionYear?: number | null | undefined
  /** 0 solo si es nuevo */
  Kilometraje?: number | null | undefined
  /** Como en colores/bestmatch */
  Color?: string | null | undefined
  /** Como en carrocerias/bestmatch */
  Carroceria?: string | null | undefined
  /** Como fuelType en versiones/bestmatch */
  Propulsion?: string | null | undefined
  /** Como transmissionType en versiones/bestmatch */
  Transmision?: string | null | undefined
  Precio?: {
  Moneda: string
  Importe: number
} | null | undefined
  Descripcion?: string | null | undefined
  /** Como en regiones/bestmatch; si falta, la de la agencia */
  Region?: string | null | undefined
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad?: string | null | undefined
  /** Direcciones https, la principal primero */
  Fotos?: (string)[] | null | undefined
  DatosTecnicosCustom?: ({
  Nombre: string
  Valor: string
})[] | null | undefined
}

/** Lo que falta queda en null, o en su valor por omisión; OperadorResponsable no cambia. */
export type PublicacionEdit = {
  /** Indica si se muestra; true si falta. false la suspende y libera su lugar del paquete */
  Activa?: boolean | undefined
  /** Número de stock de la agencia */
  RefStock?: string | null | undefined
  /** La que se pide; si no queda, se asigna la mejor de las inferiores. null: la mejor que permita el paquete */
  Exposicion?: 'Alta' | 'Media' | 'Baja' | null | undefined
  /** Quien recibe las consultas; trabaja en la agencia. Si falta al publicar, quien la administra; al editar, no cambia */
  OperadorResponsable?: string | null | undefined
  VersionYear?: number | null | undefined
  /** 0 solo si es nuevo */
  Kilometraje?: number | null | undefined
  /** Como en colores/bestmatch */
  Color?: string | null | undefined
  /** Como en carrocerias/bestmatch */
  Carroceria?: string | null | undefined
  /** Como fuelType en versiones/bestmatch */
  Propulsion?: string | null | undefined
  /** Como transmissionType en versiones/bestmatch */
  Transmision?: string | null | undefined
  Precio?: {
  Moneda: string
  Importe: number
} | null | undefined
  Descripcion?: string | null | undefined
  /** Como en regiones/bestmatch; si falta, la de la agencia */
  Region?: string | null | undefined
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad?: string | null | undefined
  /** Direcciones https, la principal primero */
  Fotos?: (string)[] | null | undefined
  DatosTecnicosCustom?: ({
  Nombre: string
  Valor: string
})[] | null | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  ExternalId?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Marca?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Modelo?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Version?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Aviso?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Estado?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Suspension?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  ExposicionOtorgada?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Creada?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Modificada?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  _links?: unknown | undefined
}

/** Como PublicacionCreate, o como se leyó. */
export type PublicacionFila = {
  /** El identificador propio de la publicación: no distingue mayúsculas, y solo tiene caracteres válidos en una dirección */
  ExternalId: string
  /** Como en marcas/bestmatch */
  Marca: string
  /** Como en modelos/bestmatch; uno que no está queda como texto */
  Modelo: string
  /** Una que no está en el catálogo queda como texto */
  Version?: string | null | undefined
  /** Indica si se muestra; true si falta. false la suspende y libera su lugar del paquete */
  Activa?: boolean | undefined
  /** Número de stock de la agencia */
  RefStock?: string | null | undefined
  /** La que se pide; si no queda, se asigna la mejor de las inferiores. null: la mejor que permita el paquete */
  Exposicion?: 'Alta' | 'Media' | 'Baja' | null | undefined
  /** Quien recibe las consultas; trabaja en la agencia. Si falta al publicar, quien la administra; al editar, no cambia */
  OperadorResponsable?: string | null | undefined
  VersionYear?: number | null | undefined
  /** 0 solo si es nuevo */
  Kilometraje?: number | null | undefined
  /** Como en colores/bestmatch */
  Color?: string | null | undefined
  /** Como en carrocerias/bestmatch */
  Carroceria?: string | null | undefined
  /** Como fuelType en versiones/bestmatch */
  Propulsion?: string | null | undefined
  /** Como transmissionType en versiones/bestmatch */
  Transmision?: string | null | undefined
  Precio?: {
  Moneda: string
  Importe: number
} | null | undefined
  Descripcion?: string | null | undefined
  /** Como en regiones/bestmatch; si falta, la de la agencia */
  Region?: string | null | undefined
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad?: string | null | undefined
  /** Direcciones https, la principal primero */
  Fotos?: (string)[] | null | undefined
  DatosTecnicosCustom?: ({
  Nombre: string
  Valor: string
})[] | null | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Aviso?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Estado?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Suspension?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  ExposicionOtorgada?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Creada?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Modificada?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  _links?: unknown | undefined
}

export type PublicacionLoteFila = {
  /** Desde 1; null en lo que se archiva por no estar */
  Fila: number | null
  ExternalId: string | null
  Resultado: 'creada' | 'modificada' | 'sin-cambios' | 'archivada' | 'rechazada'
  /** Por qué se rechaza, como en un problema: los primeros 10 errores */
  Errors?: Record<string, (string)[]> | undefined
  /** Las claves de Errors, con un código por mensaje. No cambian de significado; puede haber nuevos. */
  Codigos?: Record<string, (string)[]> | undefined
  /** Lo que se parece a un valor que no se reconoció */
  Candidatos?: ({
  href: string
  title: string
  Score: number
  Campo: string
})[] | undefined
  _links: Links
}

export type PublicacionesLote = {
  /** true: nada de esto se hizo */
  Simulacion: boolean
  Resumen: {
  Creadas: number
  Modificadas: number
  SinCambios: number
  Archivadas: number
  Rechazadas: number
}
  _links: Links
  /** Las filas en su orden, y lo que se archiva */
  _entries: (PublicacionLoteFila)[]
}

export type PublicacionEstadisticas = {
  Desde: string
  Hasta: string
  Visitas: number
  Consultas: number
  Dias: ({
  Dia: string
  Visitas: number
  Consultas: number
})[]
  _links: Links
}

/** De cada persona, lo que falta vuelve a ser lo que dice su cuenta, o null. Por aquí no se agregan ni se quitan personas: lo decide la agencia. */
export type OperadoresEdit = {
  /** Personas que trabajan en la agencia; las que no se nombran siguen igual */
  Operadores: ({
  Email: string
  Nombre?: string | null | undefined
  Apellido?: string | null | undefined
  Telefono?: string | null | undefined
  WhatsApp?: string | null | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Rol?: unknown | undefined
})[]
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  AdminMail?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  Agencia?: unknown | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  _links?: unknown | undefined
}

/** Las personas que trabajan en una agencia */
export type Operadores = {
  AdminMail: string
  Agencia: AgenciaRef
  Operadores: ({
  Email: string
  Nombre: string | null
  Apellido: string | null
  Rol: 'administrador' | 'vendedor'
  Telefono: string | null
  WhatsApp: string | null
})[]
  _links: Links
}

export type OperadoresLista = {
  _links: Links
  _entries: (Operadores)[]
}

/** Lo que falta queda en null. */
export type SucursalUpsert = {
  Nombre: string
  Telefono?: string | null | undefined
  WhatsApp?: string | null | undefined
  Email?: string | null | undefined
  /** Como en regiones/bestmatch */
  Region?: string | null | undefined
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad?: string | null | undefined
  Direccion?: string | null | undefined
  CodigoPostal?: string | null | undefined
  /** Los turnos de cada día, hasta 24:00; el día que falta está cerrado. null: no se informan */
  Horarios?: {
  Lunes?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Martes?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Miercoles?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Jueves?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Viernes?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Sabado?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Domingo?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Feriados?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
} | null | undefined
  /** Se acepta y se ignora: lo leído puede enviarse tal cual. */
  _links?: unknown | undefined
}

export type Sucursal = {
  Nombre: string
  Telefono: string | null
  WhatsApp: string | null
  Email: string | null
  /** Como en regiones/bestmatch */
  Region: string | null
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad: string | null
  Direccion: string | null
  CodigoPostal: string | null
  /** Los turnos de cada día, hasta 24:00; el día que falta está cerrado. null: no se informan */
  Horarios: {
  Lunes?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Martes?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Miercoles?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Jueves?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Viernes?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Sabado?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Domingo?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Feriados?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
} | null
  _links: Links
}

export type Sucursales = {
  _links: Links
  _entries: (Sucursal)[]
}

export type Carroceria = {
  Nombre: string
  Codenames: (string)[]
  _links: Links
}

export type Carrocerias = {
  _links: Links
  _entries: (Carroceria)[]
}

export type CarroceriaCriterios = {
  /** Id, URL, ruta, nombre, codename o cualquier forma de escribir la carrocería */
  bodystyle: string
}

export type CarroceriasValores = {
  Valores: (CarroceriaCriterios)[]
}

export type Region = {
  Nombre: string
  /** Código ISO 3166-2 */
  Iso: string
  Ciudades: Recurso
  _links: Links
}

export type Regiones = {
  _links: Links
  _entries: (Region)[]
}

export type RegionesRef = {
  _links: Links
  _entries: (RegionRef)[]
}

export type RegionCriterios = {
  /** Id, URL, ruta, nombre, código ISO o cualquier forma de escribir la región */
  state: string
}

export type RegionesValores = {
  Valores: (RegionCriterios)[]
}

export type Ciudad = {
  Nombre: string
  Region: string
  _links: Links
}

export type Ciudades = {
  _links: Links
  _entries: (Ciudad)[]
}

export type CiudadesRef = {
  _links: Links
  _entries: (CiudadRef)[]
}

export type CiudadCriterios = {
  /** Id, URL, ruta, nombre, código ISO o cualquier forma de escribir la región */
  state: string
  /** Id, URL, ruta, nombre, parte del nombre o cualquier forma de escribir la ciudad */
  city: string
}

export type CiudadesValores = {
  Valores: (CiudadCriterios)[]
}

export type Color = {
  Nombre: string
  HtmlColor: string | null
  _links: Links
}

export type Colores = {
  _links: Links
  _entries: (Color)[]
}

export type ColoresRef = {
  _links: Links
  _entries: (ColorRef)[]
}

export type ColorCriterios = {
  /** Id, URL, ruta, nombre o cualquier forma de escribir el color */
  color: string
}

export type ColoresValores = {
  Valores: (ColorCriterios)[]
}

export type Marca = {
  Nombre: string
  Codenames: (string)[]
  Modelos: Recurso
  _links: Links
}

export type Marcas = {
  _links: Links
  _entries: (Marca)[]
}

export type MarcasRef = {
  _links: Links
  _entries: (MarcaRef)[]
}

export type MarcaCriterios = {
  /** Id, URL, ruta, nombre, codename o cualquier forma de escribir la marca */
  make: string
}

export type MarcasValores = {
  Valores: (MarcaCriterios)[]
}

export type Modelo = {
  Marca: string
  Nombre: string
  /** Único dentro de la marca */
  Codename: string
  /** Las carrocerías en que se fabrica */
  Carrocerias: (CarroceriaRef)[]
  Versiones: Recurso
  _links: Links
}

export type Modelos = {
  _links: Links
  _entries: (Modelo)[]
}

export type ModelosRef = {
  _links: Links
  _entries: (ModeloRef)[]
}

export type ModeloCriterios = {
  /** Id, URL, ruta, nombre o cualquier forma de escribir la marca */
  make: string
  /** Id, URL, ruta, nombre o cualquier forma de escribir el modelo; puede traer la marca o la versión */
  model: string
  /** La carrocería, para desempatar; si no se entiende, se ignora */
  bodystyle?: string | null | undefined
}

export type ModelosValores = {
  Valores: (ModeloCriterios)[]
}

/** Lo que no se sabe con certeza es null */
export type Version = {
  Marca: string
  Modelo: string
  Nombre: string
  /** Primer año en que se vendió */
  Desde: number | null
  /** Último año; null si se vende todavía o no se sabe */
  Hasta: number | null
  Carroceria: CarroceriaRef | null
  /** En cv */
  Potencia: number | null
  /** En cm³ */
  Cilindrada: number | null
  /** El tipo de propulsión */
  Propulsion: 'nafta' | 'diesel' | 'gnc' | 'hibrido' | 'hibrido-enchufable' | 'electrico' | null
  /** CVT, doble embrague y robotizadas son automáticas */
  Transmision: 'manual' | 'automatica' | null
  _links: Links
}

export type Versiones = {
  _links: Links
  _entries: (Version)[]
}

export type VersionesRef = {
  _links: Links
  _entries: (VersionRef)[]
}

export type VersionCriterios = {
  /** Id, URL, ruta, nombre o cualquier forma de escribir la marca */
  make: string
  /** Id, URL, ruta, nombre o cualquier forma de escribir el modelo; puede traer la versión */
  model: string
  /** Cualquier forma de escribir la versión */
  trim?: string | null | undefined
  /** Año modelo */
  year?: number | null | undefined
  /** La carrocería, con sus puertas o su cabina */
  bodystyle?: string | null | undefined
  /** La transmisión */
  transmissionType?: string | null | undefined
  /** En litros o en cm³ */
  displacement?: string | null | undefined
  /** En cv, o en kW si lo dice */
  power?: string | null | undefined
  /** El combustible */
  fuelType?: string | null | undefined
}

export type VersionesValores = {
  Valores: (VersionCriterios)[]
}

export type VersionBestmatch = {
  /** Los criterios recibidos, por su nombre; los que no se enviaron, null */
  Criteria: Record<string, string | number | null>
  Modelo: ModeloRef
  Match: Version | null
  /** Las que más se acercan, la mejor primero */
  Candidates: ({
  /** URI de la versión */
  href: string
  title: string
  Score: number
})[]
  _links: Links
}

/** Todos los datos son opcionales */
export type PruebaConsultas = {
  AdminMail?: string | undefined
  /** De esa agencia; si falta, cualquiera */
  ExternalId?: string | undefined
  /** Cuántas personas preguntan */
  Cantidad?: number | undefined
}

export type ConsultasGeneradas = {
  _links: Links
  _entries: (ConsultaRef)[]
}

/** Con Email, con Telefono o con ambos */
export type InteresadoCreate = {
  /** Si falta, es compra */
  Interes?: 'compra' | 'financiacion' | 'permuta' | 'prueba-de-manejo' | 'otro' | null | undefined
  Nombre: string
  Apellido?: string | null | undefined
  Email?: string | null | undefined
  Telefono?: string | null | undefined
  DocIdentidad?: string | null | undefined
  Provincia?: string | null | undefined
  Ciudad?: string | null | undefined
  Comentario?: string | null | undefined
  InfoOperacion?: {
  EntregaVehiculo?: {
  Marca: string
  Modelo: string
  VersionYear?: number | null | undefined
} | null | undefined
  FinanciacionDeseada?: {
  Adelanto?: {
  Moneda: string
  Importe: number
} | null | undefined
  Cuota?: {
  Moneda: string
  Importe: number
} | null | undefined
} | null | undefined
  QuiereCotizacionSeguro?: boolean | null | undefined
} | null | undefined
}

/** Sobre qué es: Aviso, o AdminMail con ExternalId, o AdminMail con Catalogo; una sola de las tres formas. */
export type ConsultaCreate = {
  /** El número público del aviso */
  Aviso?: number | null | undefined
  /** La agencia, con ExternalId o con Catalogo */
  AdminMail?: string | null | undefined
  ExternalId?: string | null | undefined
  Catalogo?: {
  /** Como en marcas/bestmatch */
  Marca: string
  Modelo: string
  Version?: string | null | undefined
} | null | undefined
  OrigenLead: 'form' | 'whatsapp' | 'telefono' | 'chat' | 'email' | 'otro'
  Interesado: InteresadoCreate
  /** Si falta, quien tiene el aviso a cargo; si no hay, quien indique el reparto de la agencia, o quien la administra */
  OperadorResponsable?: string | null | undefined
}

export type AvisoSitio = {
  /** El número público del aviso */
  Aviso: number
  /** El identificador propio de la publicación: no distingue mayúsculas, y solo tiene caracteres válidos en una dirección */
  ExternalId: string
  Estado: 'Activa' | 'Suspendida' | 'Archivada'
  Suspension: {
  /** Si es el mercado o la agencia, nadie más puede volver a mostrar el auto */
  Por: 'mercado' | 'agencia' | 'desasociada' | 'paquete' | 'app'
  Motivo: string | null
} | null
  /** La que se pide; si no queda, se asigna la mejor de las inferiores. null: la mejor que permita el paquete */
  Exposicion: 'Alta' | 'Media' | 'Baja' | null
  /** Como en marcas/bestmatch */
  Marca: string
  /** Como en modelos/bestmatch; uno que no está queda como texto */
  Modelo: string
  /** Una que no está en el catálogo queda como texto */
  Version: string | null
  VersionYear: number | null
  /** 0 solo si es nuevo */
  Kilometraje: number | null
  /** Como en colores/bestmatch */
  Color: string | null
  /** Como en carrocerias/bestmatch */
  Carroceria: string | null
  /** Como fuelType en versiones/bestmatch */
  Propulsion: string | null
  /** Como transmissionType en versiones/bestmatch */
  Transmision: string | null
  Precio: {
  Moneda: string
  Importe: number
} | null
  Descripcion: string | null
  /** Como en regiones/bestmatch; si falta, la de la agencia */
  Region: string | null
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad: string | null
  /** Direcciones https, la principal primero */
  Fotos: (string)[]
  DatosTecnicosCustom: ({
  Nombre: string
  Valor: string
})[]
  Creada: string
  Modificada: string
  _links: Links
  Agencia: {
  Id: number
  AdminMail: string
  Nombre: string
}
}

export type AvisosSitio = {
  _links: Links
  _entries: (AvisoSitio)[]
}

export type AvisoFotos = {
  Aviso: number
  /** En el orden del aviso; ninguna si está archivado */
  Fotos: ({
  /** La que dio la app: la de Fotos */
  Url: string
  Estado: 'pendiente' | 'lista' | 'fallida'
  /** Por qué falló el último intento */
  Motivo: string | null
  /** De la foto, en píxeles */
  Ancho: number | null
  /** De la foto, en píxeles */
  Alto: number | null
  /** De menor a mayor; ninguna hasta que esté lista */
  Copias: ({
  /** Píxeles */
  Ancho: number
  Webp: string
  Jpeg: string
})[]
})[]
  _links: Links
}

export type AgenciaSitio = {
  Id: number
  AdminMail: string
  /** Los que tuvo y todavía sirven; Id no cambia nunca */
  AdminMailsAnteriores: (string)[]
  Nombre: string
  RazonSocial: string | null
  IdFiscal: string | null
  Telefono: string | null
  WhatsApp: string | null
  SitioWeb: string | null
  Region: string | null
  Ciudad: string | null
  Direccion: string | null
  CodigoPostal: string | null
  Sucursales: ({
  Nombre: string
  Telefono: string | null
  WhatsApp: string | null
  Email: string | null
  /** Como en regiones/bestmatch */
  Region: string | null
  /** Como en ciudades/bestmatch; necesita Region */
  Ciudad: string | null
  Direccion: string | null
  CodigoPostal: string | null
  /** Los turnos de cada día, hasta 24:00; el día que falta está cerrado. null: no se informan */
  Horarios: {
  Lunes?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Martes?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Miercoles?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Jueves?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Viernes?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Sabado?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Domingo?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
  Feriados?: ({
  Desde: string
  Hasta: string
})[] | null | undefined
} | null
})[]
  Creada: string
  Modificada: string
  _links: Links
}

export type AgenciasSitio = {
  _links: Links
  _entries: (AgenciaSitio)[]
}

export type Moderacion = {
  /** Lo leen la app que lo publicó y la agencia */
  Motivo?: string | null | undefined
}

export type PaqueteUpsert = {
  Nombre: string
  /** Primer día; hoy si falta */
  Desde?: string | null | undefined
  /** Último día, incluido */
  Hasta: string
  /** Cuántos avisos; 0 si falta */
  Alta?: number | undefined
  /** Cuántos avisos; 0 si falta */
  Media?: number | undefined
  /** Cuántos avisos; 0 si falta */
  Baja?: number | undefined
  ConsultasDeCatalogo?: boolean | undefined
}

export type Visitas = ({
  Aviso: number
  /** 1 si falta */
  Cantidad?: number | undefined
  /** Ahora si falta; hasta 90 días atrás */
  Momento?: string | undefined
})[]

export type VisitasContadas = {
  Contadas: number
  /** Los avisos que no existen: sus visitas no se cuentan */
  Desconocidas: (number)[]
}

export type AccessToken = {
  /** El token, un JWT: va en Authorization: Bearer. */
  access_token: string
  token_type: 'Bearer'
  /** Segundos que vale. */
  expires_in: number
}

export type OauthError = {
  /** Código de RFC 6749, sección 5.2. */
  error: 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'
  /** En inglés, para quien programa. */
  error_description: string
}
