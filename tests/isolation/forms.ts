import { alike, each, type Statuses, statuses, within } from './pages.ts'

/** The role may send the form: the tests of the form check the result. */
export const THEIRS = 'theirs'

/** An empty form is refused before the owner is checked. */
export const FILLED: Record<string, Record<string, string>> = { '/cuenta/consultas/:sid/estado': { Estado: 'leida' } }

/** The answer to each role that sends a form of the agency or of the developer's app. A new form without a line here fails the suite. */
export const FORMS = new Map<string, Statuses>([
  // Signing in, and public inquiries.
  ...each(alike(THEIRS), '/entrar /salir /clave /idioma /tema /aviso/:id/consultar'),
  // Links in emails: an unknown token works for nobody.
  ...each(
    alike('404'),
    '/clave/:token /registro/:token /colaborar/:token /personal/:token /equipo/:token /baja/:token',
  ),
  ...each(
    statuses('303 /entrar', '303 /cuenta', '303 /portal', THEIRS, '303 /consola'),
    '/entrar/codigo /entrar/codigo/llave',
  ),
  ['/filtrar', statuses('303 /entrar', '303 /cuenta', '303 /portal', '303 /entrar/codigo', '303 /consola')],
  ['/entrar/llave', alike('303 /entrar')], // an empty answer is no passkey's
  ['/conectar/:appKey', statuses('200', THEIRS, '403', '200', '403', { vendedor: '403' })], // the page asks to sign in

  // The own account; what only an agency's administrator may do; an inquiry belongs to its seller.
  ...each(
    within(THEIRS, THEIRS, THEIRS),
    '/cuenta/clave /cuenta/nombre /cuenta/sesiones /cuenta/telefono /cuenta/llaves',
  ),
  ...each(within('404', '404', THEIRS), '/cuenta/codigos /cuenta/telefono/quitar /cuenta/llaves/:id/quitar'),
  ['/cuenta/sesiones/:id/cerrar', within(THEIRS, '404', '404', { vendedor: '404' })],
  ...each(
    within(THEIRS, '403', '403', { vendedor: '403' }),
    `/cuenta/administrador /cuenta/apps/:appKey /cuenta/apps/:appKey/terminar /cuenta/colaboradores
     /cuenta/colaboradores/:id/quitar /cuenta/datos /cuenta/publicaciones/:id/mostrar /cuenta/publicaciones/:id/ocultar
     /cuenta/publicaciones/asignar /cuenta/reparto
     /cuenta/publicaciones/:id/terminar /cuenta/sucursales/nueva /cuenta/sucursales/:id /cuenta/sucursales/:id/quitar`,
  ),
  ['/cuenta/colaboradores/:id/retirar', within('404', '403', '403', { vendedor: '403' })],
  ['/consola/agencias/:id/personas/:accountId/retirar', within('404', '404', '404')],
  ...each(
    within(THEIRS, '404', '404', { vendedor: '404' }),
    `/cuenta/consultas/:sid/estado /cuenta/consultas/:sid/asignar /cuenta/consultas/:sid/notas
     /cuenta/consultas/:sid/recordatorio`,
  ),
  ['/cuenta/consultas/asignar', within(THEIRS, '404', '404')],

  ...each(
    within('404', THEIRS, '404'),
    `/portal/:appKey/alertas /portal/:appKey/alertas/correo /portal/:appKey/alertas/prueba
     /portal/:appKey/alertas/quitar /portal/:appKey/entregas/:id/reenviar /portal/:appKey/entregas/reenviar /portal/:appKey/equipo/:id/quitar
     /portal/:appKey/probar /portal/:appKey/probar/guardadas/:id/quitar /portal/:appKey/puesta-en-marcha/firma-falsa /portal/:appKey/webhooks/:topic
     /portal/:appKey/webhooks/:topic/editar /portal/:appKey/webhooks/:topic/eliminar
     /portal/:appKey/webhooks/:topic/prueba /portal/:appKey/webhooks/:topic/reanudar
     /portal/:appKey/webhooks/:topic/secret /portal/:appKey/webhooks/:topic/suspender /portal/:appKey/webhooks/:topic/destinos
     /portal/:appKey/webhooks/:topic/destinos/:destino/editar /portal/:appKey/webhooks/:topic/destinos/:destino/secret
     /portal/:appKey/webhooks/:topic/destinos/:destino/prueba /portal/:appKey/webhooks/:topic/destinos/:destino/suspender
     /portal/:appKey/webhooks/:topic/destinos/:destino/reanudar /portal/:appKey/webhooks/:topic/destinos/:destino/eliminar`,
  ),
  // Only titulares manage keys and team.
  ...each(
    within('404', THEIRS, '404', { desarrollador: '403' }),
    `/portal/:appKey/claves/rotar /portal/:appKey/claves/:id/nombre /portal/:appKey/claves/:id/revocar
     /portal/:appKey/equipo
     /portal/:appKey/equipo/:id/retirar /portal/:appKey/equipo/:id/rol`,
  ),

  ...each(
    within('404', '404', THEIRS),
    `/consola/agencias/:id/administrador /consola/agencias/:id/apps /consola/agencias/:id/apps/:appKey
     /consola/agencias/:id/apps/:appKey/terminar /consola/agencias/:id/paquete
     /consola/agencias/:id/personas/:accountId/quitar /consola/agencias/invitaciones/:id/reenviar
     /consola/agencias/invitaciones/:id/revocar /consola/apps /consola/apps/:appKey/claves
     /consola/apps/:appKey/claves/:id/revocar /consola/apps/:appKey/datos /consola/apps/:appKey/deshabilitar
     /consola/apps/:appKey/equipo /consola/apps/:appKey/equipo/:id/quitar /consola/apps/:appKey/equipo/:id/retirar
     /consola/apps/:appKey/habilitar /consola/apps/:appKey/limites /consola/apps/:appKey/temas
     /consola/consultas/:sid/reenviar /consola/correos/:id/reenviar /consola/entregas/:id/reenviar /consola/marca /consola/marca/imagenes /consola/personal
     /consola/incidentes /consola/incidentes/:id /consola/incidentes/:id/eliminar
     /consola/personal/:id/quitar /consola/personal/:id/reiniciar /consola/personal/:id/retirar
     /consola/publicaciones/:id/fotos /consola/publicaciones/:id/reactivar
     /consola/publicaciones/:id/suspender /consola/sitios /consola/sitios/:id/revocar /consola/supresiones
     /consola/supresiones/suprimir`,
  ),
])
