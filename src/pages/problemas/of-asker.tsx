import { signatureNames } from '../../auth/signature.ts'
import { unauthorized } from '../../auth/unauthorized.ts'
import { forbidden, tooManyRequests } from '../../http/problems.ts'
import type { Explanation } from './explanation.ts'

/** What is wrong with who asks, or with how often. */
export const ofAsker = (
  signaturePrefix: string,
): Record<'sin-autorizacion' | 'prohibido' | 'demasiadas-solicitudes', Explanation> => ({
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
})
