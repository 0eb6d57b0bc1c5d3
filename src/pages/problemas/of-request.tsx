import { MAX_BODY_BYTES } from '../../http/body.ts'
import { invalid, methodNotAllowed, notAcceptable, tooLarge, unsupportedType } from '../../http/problems.ts'
import { type Explanation, NEVER } from './explanation.ts'

/** What is wrong with the request itself. */
export const ofRequest: Record<
  'solicitud-invalida' | 'metodo-no-permitido' | 'no-aceptable' | 'demasiado-grande' | 'tipo-no-admitido',
  Explanation
> = {
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

  'demasiado-grande': {
    what: <>El cuerpo supera el límite de ese recurso y no se leyó entero. La conexión se cierra.</>,
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
}
