import { changedSinceRead, conflict, notFound } from '../../http/problems.ts'
import { type Explanation, NEVER } from './explanation.ts'

/** What is wrong with what is there. */
export const ofState: Record<'no-existe' | 'conflicto' | 'version-distinta', Explanation> = {
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
}
