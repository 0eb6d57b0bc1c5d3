interface CodeText {
  meaning: string
  remedy: string
  /** Where it differs from that of the kind of problem. */
  status?: number
}

const code = (meaning: string, remedy: string, status?: number): CodeText => ({
  meaning,
  remedy,
  ...(status && { status }),
})

/**
 * What a program may switch on, by kind of problem: the codes of `Extensions.Codigos` and `Extensions.Codigo`. They
 * never change their meaning; new ones may come. /problemas and contract/codes.tsv are made from this.
 */
export const CODES = {
  'solicitud-invalida': {
    requerido: code('Falta un dato obligatorio.', 'Envíelo.'),
    vacio: code('El dato está vacío o solo tiene espacios.', 'Envíe un valor, o quítelo si es opcional.'),
    desconocido: code('El dato o el parámetro no existe.', 'Revise su nombre en la referencia, o quítelo.'),
    repetido: code('El valor está más de una vez, y puede estar una sola.', 'Deje uno solo.'),
    tipo: code(
      'El valor es de otro tipo, por ejemplo un texto donde va un número.',
      'Envíelo con el tipo del esquema.',
    ),
    formato: code('El valor no tiene la forma que corresponde.', 'Escríbalo como dice la referencia.'),
    opcion: code('El valor no es uno de los admitidos.', 'Use uno de los que nombra el mensaje.'),
    'muy-corto': code('El texto tiene menos caracteres que el mínimo.', 'Complételo.'),
    'muy-largo': code('El valor ocupa más que el máximo.', 'Acórtelo.'),
    'muy-chico': code('El número es menor que el mínimo.', 'Envíe uno dentro de los límites.'),
    'muy-grande': code('El número es mayor que el máximo.', 'Envíe uno dentro de los límites.'),
    'pocos-elementos': code('La lista tiene menos elementos que el mínimo.', 'Agregue los que faltan.'),
    'demasiados-elementos': code(
      'Hay más elementos que el máximo.',
      'Quite los que sobran, o envíelos en otra solicitud.',
    ),
    incompatible: code(
      'El dato no va con otro de la solicitud o lo contradice, o ya no se puede cambiar.',
      'Corrija o quite uno de los dos; el que no se puede cambiar, envíelo como estaba.',
    ),
    'fuera-de-rango': code('La fecha está fuera de lo admitido.', 'Use una dentro de los límites del mensaje.'),
    inexistente: code('Lo que el dato nombra no existe para quien lo pide.', 'Búsquelo antes en su lista.'),
    ambiguo: code('El valor nombra más de una cosa.', 'Use el identificador que indica el mensaje.'),
    'sin-coincidencia': code(
      'El valor no corresponde con certeza a nada del catálogo.',
      'Elija uno de Extensions.Candidatos, o búsquelo en el catálogo.',
    ),
    'no-colabora': code('Ese correo no es de alguien que trabaje en la agencia.', 'Use el de uno de sus Operadores.'),
    'cursor-invalido': code('El cursor no es uno que haya dado la API.', 'Siga el enlace next, o empiece sin cursor.'),
    'json-invalido': code('El cuerpo no es JSON válido.', 'Genérelo con una biblioteca de JSON.'),
    'utf-8-invalido': code('El cuerpo no está en UTF-8.', 'Envíelo en UTF-8.'),
    'caracter-no-admitido': code('Hay un carácter NUL, o un carácter incompleto.', 'Quítelo del texto.'),
    'muy-anidado': code('El JSON tiene más niveles que el máximo.', 'Envíe solo lo que pide el esquema.'),
    ilegible: code('La solicitud no se puede leer como HTTP/1.1.', 'Revise la dirección y la biblioteca HTTP.'),
    'encabezados-muy-grandes': code('Los encabezados ocupan demasiado.', 'Envíe menos, o más cortos.', 431),
    'tiempo-agotado': code('La solicitud no llegó completa a tiempo.', 'Revise la red y repita la solicitud.', 408),
    'expect-no-admitido': code('El encabezado Expect pide algo que no se ofrece.', 'Quítelo.', 417),
    'hay-mas': code('Hay más errores de los que se nombran.', 'Corrija estos y vuelva a enviar.'),
    'limite-de-correos': code('Ese correo ya recibió el máximo de invitaciones de un día.', 'Espere 24 horas.'),
    'direccion-bloqueada': code('El dueño de ese correo pidió no recibir más invitaciones.', 'No lo invite de nuevo.'),
    'limite-de-sucursales': code('La agencia ya tiene el máximo de sucursales.', 'Quite una antes.'),
    'limite-de-destinos': code('El topic ya tiene el máximo de destinos.', 'Elimine uno antes.'),
    'sin-lugar': code(
      'No queda lugar en el paquete de la agencia.',
      'Libere un lugar, publique con Activa false, o pida a la agencia que amplíe su paquete.',
    ),
    'sin-confirmar': code(
      'El lote archivaría gran parte de lo publicado.',
      'Si es lo que quiere, repita con confirmar=true.',
    ),
    'fila-invalida': code(
      'La fila no es válida; ya se nombró el máximo de errores de un lote.',
      'Corrija las anteriores.',
    ),
    'destino-no-permitido': code('No se envían notificaciones a esa dirección.', 'Use una dirección https pública.'),
    'encabezado-reservado': code('Ese encabezado lo ponen HTTP o el servicio.', 'Use otro nombre.'),
    'callback-sin-verificar': code(
      'La dirección del webhook todavía no respondió 2xx ninguna vez.',
      'Revise el receptor, envíe una prueba y repita.',
    ),
    'sin-webhook': code(
      'El topic no tiene un webhook activo, o el que tiene no recibe los eventos de esa agencia.',
      'Configúrelo, actívelo o agregue la agencia a sus Agencias, y repita.',
    ),
    'sin-publicaciones': code(
      'La app no tiene publicaciones activas en esa agencia, o en ninguna.',
      'Publique una primero.',
    ),
    'sin-agencias': code('La app no tiene agencias asociadas.', 'Invite a una primero.'),
  },
  'sin-autorizacion': {
    'sin-credenciales': code(
      'La solicitud no trae Authorization, o trae un esquema que no es el de firma ni Bearer.',
      'Firme la solicitud o agregue un token. Revise que un proxy o una redirección no quite el encabezado.',
    ),
    'firma-invalida': code(
      'La app no existe o está deshabilitada, o la firma no corresponde a lo que llegó.',
      'Compruebe, en este orden: que la dirección firmada sea la enviada, con sus parámetros y su codificación; que las líneas se unan con \\n, sin un \\n al final; que las líneas de Digest y Date estén siempre, vacías si no se envían, y las de los demás encabezados, solo si se envían; que AppSecret se use como texto, sin decodificar.',
    ),
    'fecha-fuera-de-rango': code(
      'La fecha firmada falta, no se entiende o difiere en más de 300 segundos de la hora del servidor.',
      'Sincronice el reloj por NTP. La fecha va en UTC, como Tue, 04 Mar 2025 12:00:00 GMT, o en ISO 8601 con su diferencia con UTC, como 2025-03-04T09:00:00-03:00.',
    ),
    repetida: code(
      'Esta firma ya se usó en un POST, PUT, PATCH o DELETE: cada una vale una vez.',
      'Firme de nuevo cada intento, también los reintentos. Para dos solicitudes iguales en el mismo segundo, agregue un encabezado firmado distinto. Si la primera sí llegó, no la repita.',
    ),
    'digest-invalido': code(
      'Hay un cuerpo y falta Digest, o su valor no corresponde a los bytes recibidos.',
      'Calcúlelo sobre los mismos bytes que se envían: si la biblioteca vuelve a escribir el JSON, los bytes cambian.',
    ),
    'token-invalido': code(
      'El token venció (dura una hora), no es de este servidor, se revocó el secreto con el que se pidió, o la app está deshabilitada.',
      'Pida otro en /oauth/token y repita la solicitud una vez. Si vuelve a fallar, revise el AppSecret.',
    ),
  },
  prohibido: {
    'sin-asociacion': code(
      'La agencia no existe o no está asociada con la app.',
      'Invítela, o pida a quien la administra que la asocie con la app.',
    ),
    'invitacion-pendiente': code('La agencia todavía no aceptó la invitación.', 'Espere a que la acepte.'),
    'sin-permiso': code('La agencia no permite que la app edite sus datos.', 'Pida el permiso a quien la administra.'),
    'topic-no-disponible': code(
      'La app no puede usar ese topic.',
      'Vea cuáles puede usar en GET /v3/appnotificaciones.',
    ),
    'publicacion-moderada': code(
      'El mercado o la agencia suspendieron la publicación.',
      'Solo quien la suspendió puede reactivarla. Para editarla, envíe Activa false.',
    ),
    'solo-en-prueba': code('Es solo para apps en modo de prueba.', 'Use una app de prueba.'),
  },
  'no-existe': {
    'no-existe': code(
      'No hay nada en esa dirección que la app pueda ver.',
      'Revise la dirección, o busque el recurso en su lista.',
    ),
  },
  'metodo-no-permitido': {
    'metodo-no-permitido': code('El recurso no admite ese método.', 'Use uno de los que nombra Allow.'),
  },
  'no-aceptable': {
    'no-aceptable': code('El recurso no se ofrece en el tipo que pide Accept.', 'Pida uno de Extensions.Tipos.'),
  },
  conflicto: {
    'ya-registrada': code(
      'El correo ya es de una agencia registrada.',
      'Envíe a quien la administra la página de Extensions.Conectar.',
    ),
    'ya-configurado': code('El topic ya tiene un webhook.', 'Para cambiarlo, use PUT.'),
    'external-id-en-uso': code(
      'Ya hay una publicación vigente con ese ExternalId.',
      'Edítela con PUT, o archívela antes.',
    ),
    'clave-usada': code('La Idempotency-Key ya se usó con otro cuerpo.', 'Use una clave nueva para cada envío.'),
    archivado: code('El aviso está archivado, y eso es definitivo.', 'Para mostrarlo, hay que publicarlo de nuevo.'),
  },
  'version-distinta': {
    'version-distinta': code('El recurso cambió desde que se leyó.', 'Léalo de nuevo y repita el cambio.'),
  },
  'demasiado-grande': {
    'demasiado-grande': code('El cuerpo supera el máximo del recurso.', 'Envíe hasta Extensions.MaxBytes.'),
  },
  'tipo-no-admitido': {
    'tipo-no-admitido': code(
      'El cuerpo no es de un tipo admitido.',
      'Envíelo con uno de los que nombra el encabezado Accept de la respuesta.',
    ),
  },
  'demasiadas-solicitudes': {
    'limite-de-solicitudes': code('Se superó el límite de solicitudes por segundo.', 'Espere lo que dice Retry-After.'),
    'solicitudes-en-curso': code('Hay demasiadas solicitudes en curso a la vez.', 'Espere las respuestas.'),
    'limite-de-invitaciones': code(
      'La app ya envió el máximo de invitaciones de un día.',
      'Espere lo que dice Retry-After.',
    ),
    'limite-por-direccion': code(
      'Llegaron demasiados intentos desde esta dirección de red.',
      'Corrija la credencial y espere lo que dice Retry-After.',
    ),
  },
  'error-interno': {
    'error-interno': code('Algo falló de nuestro lado.', 'Si persiste, informe Extensions.RequestId.'),
  },
  'no-disponible': {
    'no-disponible': code('El servicio no está disponible por ahora.', 'Espere lo que dice Retry-After y repita.'),
    sobrecargado: code('El servidor está sobrecargado.', 'Espere lo que dice Retry-After y repita.'),
  },
} as const satisfies Record<string, Record<string, CodeText>>

type Kind = keyof typeof CODES

/** The codes of a kind of problem. */
export type CodeOf<Name extends Kind> = keyof (typeof CODES)[Name] & string

/** What may be wrong with a member of a request; a row of an upload may also name a moderated listing. */
export type FaultCode = CodeOf<'solicitud-invalida'> | CodeOf<'conflicto'> | 'publicacion-moderada'

/** Every code with its kind of problem, in the order above. */
export const CODE_LIST = Object.entries(CODES).flatMap(([problem, codes]) =>
  Object.entries<CodeText>(codes).map(([name, text]) => ({ code: name, problem: problem as Kind, ...text })),
)
