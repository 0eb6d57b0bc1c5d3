import { signatureNames } from '../../auth/signature.ts'
import { unauthorized } from '../../auth/unauthorized.ts'
import { MAX_BODY_BYTES } from '../../http/body.ts'
import {
  changedSinceRead,
  conflict,
  forbidden,
  internalError,
  invalid,
  methodNotAllowed,
  notAcceptable,
  notFound,
  type ProblemName,
  tooLarge,
  tooManyRequests,
  unavailable,
  unsupportedType,
} from '../../http/problems.ts'
import type { Explanation } from './explanation.ts'

const NEVER = 'No: la misma solicitud dará la misma respuesta.'

/** Every kind of problem; one without its explanation does not compile. */
export const explanations = (signaturePrefix: string): Record<ProblemName, Explanation> => ({
  'solicitud-invalida': {
    what: (
      <>
        La solicitud llegó a quien debía, pero hay datos que corregir. <code>Errors</code> los nombra todos a la vez:
        cada clave es una propiedad del cuerpo o un parámetro, y <code>_</code> reúne lo que vale para la entrada
        entera.
      </>
    ),
    why: [
      <>
        Falta un dato obligatorio, o uno no tiene la forma pedida: un correo, una fecha <code>AAAA-MM-DD</code>, un
        entero.
      </>,
      <>
        El cuerpo trae un dato que no existe (los nombres distinguen mayúsculas: <code>AdminMail</code>), o un número
        escrito como texto.
      </>,
      <>El cuerpo no es JSON válido en UTF-8.</>,
      <>
        En un <code>bestmatch</code>, nada se parece lo suficiente: <code>Extensions.Candidatos</code> trae lo más
        cercano.
      </>,
    ],
    remedy: [
      <>
        Recorra <code>Errors</code> y muestre cada mensaje junto al dato que nombra: están escritos para personas.
      </>,
      <>
        Compare el cuerpo con su esquema en la <a href="/docs#esquemas">referencia</a>.
      </>,
    ],
    retry: NEVER,
    example: invalid({
      AdminMail: ['Debe ser una dirección de correo.'],
      Telefono: ['Debe tener al menos 8 caracteres.'],
    }),
    instance: '/v3/agencias',
  },

  'sin-autorizacion': {
    what: (
      <>
        El servidor no sabe qué app hace la solicitud, o no puede creerlo. <code>Extensions.Codigo</code> dice por qué,
        con un valor que un programa puede distinguir.
      </>
    ),
    why: [
      <>La solicitud no está firmada ni trae un token, o un proxy quitó el encabezado.</>,
      <>Se firmó otra cosa que lo que llegó: otra dirección, otro cuerpo, otra fecha.</>,
      <>El reloj de la máquina que llama está corrido, o se repitió una firma que ya se usó.</>,
      <>El token venció, o se cambió el secreto de la app.</>,
    ],
    remedy: [
      <>
        Compare su firma con el <a href="/docs/guia/firmar">ejemplo de la guía</a>, línea por línea.
      </>,
      <>
        Una app desconocida y una firma equivocada dan la misma respuesta, a propósito: revise también el{' '}
        <code>AppKey</code>.
      </>,
    ],
    retry: 'Solo con una firma nueva o un token nuevo.',
    example: unauthorized('fecha-fuera-de-rango', signatureNames(signaturePrefix)),
    instance: '/v3/colores',
  },

  prohibido: {
    what: <>La app se identificó bien, pero no tiene permiso para esto.</>,
    why: [
      <>La agencia no está asociada con la app, o la asociación no incluye editar sus datos.</>,
      <>La invitación a esa agencia todavía no fue aceptada.</>,
      <>
        El <code>topic</code> del webhook no está habilitado para la app.
      </>,
    ],
    remedy: [
      <>Pida a quien administra la agencia que asocie la app o amplíe su permiso desde su cuenta.</>,
      <>
        Mire qué <code>topics</code> tiene la app en <code>/v3/appnotificaciones</code>.
      </>,
      <>Ofrezca solo las acciones que aparecen en los enlaces: son las abiertas a la app.</>,
    ],
    retry: 'No, hasta que cambie el permiso.',
    example: forbidden('La app no tiene permiso sobre la agencia.'),
    instance: '/v3/agencias/ventas@agencia.example/desasociar',
  },

  'no-existe': {
    what: (
      <>
        No hay nada en esa dirección <em>para esta app</em>. Lo que existe pero es de otros se ve igual que lo que no
        existe.
      </>
    ),
    why: [
      <>La dirección está mal escrita, o se armó a mano en lugar de seguir un enlace.</>,
      <>La agencia no está asociada con la app, o dejó de estarlo.</>,
      <>La consulta es de un aviso que publicó otra app, o el webhook nunca se configuró.</>,
      <>La app es de prueba y el recurso de producción, o al revés: son dos mundos que no se ven.</>,
    ],
    remedy: [
      <>
        Empiece por <code>GET /v3</code> y siga los enlaces hasta el recurso.
      </>,
      <>
        Si guardó la dirección hace tiempo, compruebe que la agencia siga en <code>/v3/agencias</code>.
      </>,
    ],
    retry: NEVER,
    example: notFound('No existe el color.'),
    instance: '/v3/colores/999',
  },

  'metodo-no-permitido': {
    what: (
      <>
        La dirección existe, pero no admite ese método. El encabezado <code>Allow</code> dice cuáles admite.
      </>
    ),
    why: [
      <>
        Se usó <code>POST</code> donde va <code>PUT</code>, o se quiso modificar un catálogo, que es de solo lectura.
      </>,
      <>
        Un enlace con <code>method</code> se siguió con <code>GET</code>.
      </>,
    ],
    remedy: [
      <>
        Lea <code>Allow</code>, o pregunte antes con <code>OPTIONS</code>.
      </>,
    ],
    retry: NEVER,
    example: methodNotAllowed('GET, HEAD, OPTIONS'),
    instance: '/v3/colores',
  },

  'no-aceptable': {
    what: (
      <>
        El encabezado <code>Accept</code> pide un tipo que este recurso no ofrece. <code>Extensions.Tipos</code> trae
        los que sí.
      </>
    ),
    why: [
      <>
        Se pidió la forma de referencia (<code>…ref+json</code>) de un recurso que no la tiene.
      </>,
      <>
        Se pidió <code>application/xml</code>, <code>text/html</code> u otro tipo que la API no escribe.
      </>,
      <>
        Un tipo quedó prohibido con <code>q=0</code>.
      </>,
    ],
    remedy: [
      <>
        Envíe <code>Accept: application/json</code>, o ningún <code>Accept</code>.
      </>,
    ],
    retry: NEVER,
    example: notAcceptable(['application/json', 'text/json']),
    instance: '/v3',
  },

  conflicto: {
    what: (
      <>
        La solicitud es correcta, pero choca con algo que ya está. <code>Errors</code> dice con qué dato.
      </>
    ),
    why: [
      <>
        Se invitó un correo que ya pertenece a una agencia registrada: <code>Extensions.Conectar</code> es la página
        donde su administrador puede asociarla con la app.
      </>,
      <>
        El webhook de ese <code>topic</code> ya está configurado.
      </>,
      <>
        Ya hay una publicación vigente con ese <code>ExternalId</code>.
      </>,
    ],
    remedy: [
      <>
        Si quería modificar lo que está, use <code>PUT</code> sobre su dirección.
      </>,
      <>Si la agencia ya está registrada, envíe a su administrador la página para conectarla.</>,
    ],
    retry: 'No, mientras lo otro siga ahí.',
    example: conflict(
      { _: ['El webhook ya está configurado.'] },
      'Ya hay un webhook para ese topic. Para cambiarlo, use PUT.',
    ),
    instance: '/v3/appnotificaciones/consulta.recibida',
  },

  'version-distinta': {
    what: (
      <>
        El <code>ETag</code> enviado en <code>If-Match</code> ya no es el del recurso: alguien lo cambió después de que
        la app lo leyó. Nada se modificó.
      </>
    ),
    why: [<>Otra persona, otra app u otro proceso de la misma app guardó un cambio entre la lectura y la escritura.</>],
    remedy: [
      <>
        Lea otra vez el recurso, aplique el cambio sobre lo que ahora dice y envíelo con el <code>ETag</code> nuevo.
      </>,
    ],
    retry: 'Después de volver a leer.',
    example: changedSinceRead(),
    instance: '/v3/agencias/ventas@agencia.example',
  },

  'demasiado-grande': {
    what: <>El cuerpo supera 1 MiB y no se leyó entero. La conexión se cierra.</>,
    why: [
      <>Se enviaron fotos o archivos dentro del JSON: las fotos se envían como direcciones.</>,
      <>Un lote tiene demasiadas filas.</>,
    ],
    remedy: [
      <>
        Parta el envío en varios que quepan en <code>Extensions.MaxBytes</code>.
      </>,
    ],
    retry: NEVER,
    example: tooLarge(MAX_BODY_BYTES),
    instance: '/v3/agencias',
  },

  'tipo-no-admitido': {
    what: (
      <>
        El cuerpo llegó con un <code>Content-Type</code> que la API no lee.
      </>
    ),
    why: [
      <>
        Falta <code>Content-Type</code>, o la biblioteca puso el suyo: <code>application/x-www-form-urlencoded</code> es
        el de <code>curl -d</code>.
      </>,
      <>Se envió XML o un formulario.</>,
    ],
    remedy: [
      <>
        Envíe JSON con <code>Content-Type: application/json</code>.
      </>,
    ],
    retry: NEVER,
    example: unsupportedType(),
    instance: '/v3/agencias',
  },

  'demasiadas-solicitudes': {
    what: (
      <>
        La app, o la dirección desde la que se llama, hizo más solicitudes de las que le corresponden. El encabezado{' '}
        <code>Retry-After</code> dice cuántos segundos esperar.
      </>
    ),
    why: [
      <>Un proceso recorre un catálogo o una lista sin pausa, o varias máquinas comparten una app.</>,
      <>Se repite enseguida lo que falló, sin esperar.</>,
      <>Desde una misma dirección llegaron muchas credenciales equivocadas.</>,
    ],
    remedy: [
      <>
        Espere lo que dice <code>Retry-After</code> y siga más despacio; <code>RateLimit</code> trae en cada respuesta
        lo que queda.
      </>,
      <>
        Guarde los catálogos y pregunte con <code>If-None-Match</code>: un <code>304</code> no consume el límite.
      </>,
      <>Use webhooks en lugar de preguntar si hay consultas nuevas.</>,
    ],
    retry: 'Sí, después de Retry-After segundos.',
    example: tooManyRequests(2, 'La app superó su límite de solicitudes por segundo.'),
    instance: '/v3/colores',
  },

  'error-interno': {
    what: <>Algo falló de nuestro lado. No se debe a su solicitud, y quedó registrado.</>,
    why: [<>Un error del servidor. Por seguridad, la respuesta no dice más que el número de la solicitud.</>],
    remedy: [
      <>
        Si se repite, informe <code>Extensions.RequestId</code> (también está en <code>X-Request-Id</code>).
      </>,
    ],
    retry: 'Sí, con pausas cada vez más largas. Firme de nuevo cada intento.',
    example: internalError('6f1c7a52-1d0f-4a57-9a8e-0b1d5d1f6c1e'),
    instance: '/v3/colores',
  },

  'no-disponible': {
    what: <>El servidor está, pero ahora no puede atender. Nada se hizo a medias.</>,
    why: [
      <>La base de datos no responde, por ejemplo durante un cambio de servidor.</>,
      <>Hay más trabajo del que se puede hacer a tiempo, y se prefiere rechazar una parte a demorarla toda.</>,
    ],
    remedy: [
      <>
        Espere lo que dice <code>Retry-After</code> y repita.
      </>,
      <>
        <a href="/health/ready">/health/ready</a> responde <code>200</code> cuando vuelve a atender.
      </>,
    ],
    retry: 'Sí, después de Retry-After segundos. Firme de nuevo cada intento.',
    example: unavailable(),
    instance: '/v3/agencias',
  },
})
