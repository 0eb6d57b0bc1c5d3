import { internalError, unavailable } from '../../http/problems.ts'
import type { Explanation } from './explanation.ts'

/** What is wrong on our side. */
export const ofServer: Record<'error-interno' | 'no-disponible', Explanation> = {
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
}
