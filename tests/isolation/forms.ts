import { alike, each, type Statuses, statuses, within } from './pages.ts'

/** Who may send it: whatever comes of it is told where the form is. */
export const THEIRS = 'theirs'

/** Where a form without anything in it is refused before it is looked whose it is. */
export const FILLED: Record<string, Record<string, string>> = { '/cuenta/consultas/:sid/estado': { Estado: 'leida' } }

/** What everyone gets who sends a form, where the thing is the agency's, or the developer's app's. A new one without its place here fails the suite. */
export const FORMS = new Map<string, Statuses>([
  // Before anybody is known, and of people who ask about a car.
  ...each(alike(THEIRS), '/entrar /salir /clave /aviso/:id/consultar'),
  // Links of letters: one that was never sent is nothing to anyone.
  ...each(
    alike('404'),
    '/clave/:token /registro/:token /colaborar/:token /personal/:token /equipo/:token /baja/:token',
  ),
  ['/entrar/codigo', statuses('303 /entrar', '303 /cuenta', '303 /portal', THEIRS, '303 /consola')],
  ['/conectar/:appKey', statuses('200', THEIRS, '403', '200', '403', { vendedor: '403' })], // it asks to sign in by itself

  // One's own, whoever one is; what only an agency's administrator does; an inquiry is whose it is to answer.
  ...each(within(THEIRS, THEIRS, THEIRS), '/cuenta/clave /cuenta/nombre /cuenta/sesiones'),
  ...each(
    within(THEIRS, '403', '403', { vendedor: '403' }),
    `/cuenta/administrador /cuenta/apps/:appKey /cuenta/apps/:appKey/terminar /cuenta/colaboradores
     /cuenta/colaboradores/:id/quitar /cuenta/datos /cuenta/publicaciones/:id/mostrar /cuenta/publicaciones/:id/ocultar
     /cuenta/publicaciones/:id/terminar /cuenta/sucursales/nueva /cuenta/sucursales/:id /cuenta/sucursales/:id/quitar`,
  ),
  ['/cuenta/consultas/:sid/estado', within(THEIRS, '404', '404', { vendedor: '404' })],

  ...each(
    within('404', THEIRS, '404'),
    `/portal/:appKey/entregas/:id/reenviar /portal/:appKey/entregas/reenviar /portal/:appKey/equipo/:id/quitar
     /portal/:appKey/probar /portal/:appKey/puesta-en-marcha/firma-falsa /portal/:appKey/webhooks/:topic
     /portal/:appKey/webhooks/:topic/editar /portal/:appKey/webhooks/:topic/eliminar
     /portal/:appKey/webhooks/:topic/prueba /portal/:appKey/webhooks/:topic/reanudar
     /portal/:appKey/webhooks/:topic/secret /portal/:appKey/webhooks/:topic/suspender`,
  ),
  // Keys and team are the titulares' to decide about.
  ...each(
    within('404', THEIRS, '404', { desarrollador: '403' }),
    `/portal/:appKey/claves/rotar /portal/:appKey/claves/:id/revocar /portal/:appKey/equipo
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
     /consola/consultas/:sid/reenviar /consola/correos/:id/reenviar /consola/entregas/:id/reenviar /consola/personal
     /consola/personal/:id/quitar /consola/personal/:id/reiniciar /consola/personal/:id/retirar
     /consola/personal/acceso/codigos /consola/personal/acceso/telefono /consola/publicaciones/:id/reactivar
     /consola/publicaciones/:id/suspender /consola/sitios /consola/sitios/:id/revocar /consola/supresiones
     /consola/supresiones/suprimir`,
  ),
])
