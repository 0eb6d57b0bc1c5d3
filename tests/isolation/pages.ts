export const ROLES = ['anonymous', 'agency', 'vendedor', 'developer', 'desarrollador', 'passwordOnly', 'staff'] as const
/**
 * A status and a redirect target. `agency` administers the agency and `vendedor` sells for it; `developer` is titular of the
 * app and `desarrollador` belongs to its team; `passwordOnly` is staff without a second factor.
 */
export type Statuses = Record<(typeof ROLES)[number], string>

/** Overrides for the roles with fewer rights. */
type Less = Partial<Pick<Statuses, 'vendedor' | 'desarrollador'>>

/** The answer for each role. Roles with fewer rights get the same unless overridden. */
export const statuses = (
  anonymous: string,
  agency: string,
  developer: string,
  passwordOnly: string,
  staff: string,
  less: Less = {},
): Statuses => ({
  anonymous,
  agency,
  vendedor: agency,
  developer,
  desarrollador: developer,
  passwordOnly,
  staff,
  ...less,
})
/** One answer for every role. */
export const alike = (status: string) => statuses(status, status, status, status, status)
/** Pages for signed-in users, with the answer for each role. */
export const within = (agency: string, developer: string, staff: string, less: Less = {}) =>
  statuses('303 /entrar', agency, developer, '303 /entrar/codigo', staff, less)
/** One answer for each of these paths. */
export const each = (of: Statuses, urls: string): [string, Statuses][] =>
  urls
    .trim()
    .split(/\s+/)
    .map((url) => [url, of])

/** The answer of every page to every role, for the own agency or app. A new page without a line here fails the suite. */
export const PAGES = new Map<string, Statuses>([
  ...each(
    alike('200'),
    `/docs /docs/guia /docs/guia/:capitulo /docs/ejemplos/:lenguaje/:archivo /docs/buscar /docs/cambios /estado /openapi.json /openapi.yaml /openapi-3.0.json /problemas
     /problemas/:nombre /problemas/codigos/:codigo /clave /sugerencias/ciudades /aviso/:id /aviso/:id/consultar /aviso/:id/consultar/gracias`,
  ),
  ...each(alike('200'), '/docs/guia.md /llms.txt'),
  ['/', statuses('200', '303 /cuenta', '303 /portal', '200', '303 /consola')],
  ['/fotos/:hash/:file', alike('404')], // of an unknown photo
  ['/dibujos/:dibujo', alike('200')],
  // Links in emails: an unknown token works for nobody.
  ...each(
    alike('404'),
    '/clave/:token /registro/:token /colaborar/:token /personal/:token /equipo/:token /baja/:token',
  ),
  ['/entrar', statuses('200', '303 /cuenta', '303 /portal', '303 /entrar/codigo', '303 /consola')],
  ['/entrar/codigo', statuses('303 /entrar', '303 /cuenta', '303 /portal', '200', '303 /consola')],
  ...each(alike('404'), '/entrar/oidc /entrar/oidc/vuelta'), // no provider is configured
  ['/conectar/:appKey', statuses('200', '200', '403', '200', '403', { vendedor: '403' })], // the page asks to sign in

  // The own account; an agency, for its members; what only its administrator may do.
  ...each(within('200', '200', '200'), '/ir /cuenta /cuenta/acceso /cuenta/clave /cuenta/telefono'),
  // The staff has a phone and a passkey, the others have neither; passkeys need https.
  ...each(within('404', '404', '200'), '/cuenta/telefono/quitar /cuenta/llaves/:id/quitar'),
  ['/cuenta/llaves/nueva', within('404', '404', '404')],
  ...each(
    within('200', '404', '404'),
    `/cuenta/apps /cuenta/colaboradores /cuenta/consultas /cuenta/datos /cuenta/publicaciones /cuenta/reparto /cuenta/sucursales`,
  ),
  ['/cuenta/consultas/:sid', within('200', '404', '404', { vendedor: '404' })], // another seller's inquiry
  ...each(
    within('200', '403', '403', { vendedor: '403' }),
    `/cuenta/administrador /cuenta/apps/:appKey/terminar /cuenta/colaboradores/:id/quitar
     /cuenta/publicaciones/:id/terminar /cuenta/sucursales/nueva /cuenta/sucursales/:id /cuenta/sucursales/:id/quitar`,
  ),
  // Nobody is invited.
  ['/cuenta/colaboradores/:id/retirar', within('404', '403', '403', { vendedor: '403' })],
  ['/consola/agencias/:id/personas/:accountId/retirar', within('404', '404', '404')],

  ['/portal', within('200', '303 /portal/:appKey', '200')], // without an app it explains how to get one
  ...each(
    within('404', '200', '404'),
    `/portal/:appKey /portal/:appKey/alertas /portal/:appKey/claves /portal/:appKey/entregas
     /portal/:appKey/entregas/:id /portal/:appKey/entregas/reenviar /portal/:appKey/equipo
     /portal/:appKey/equipo/:id/quitar /portal/:appKey/eventos /portal/:appKey/eventos/:id
     /portal/:appKey/llamadas /portal/:appKey/llamadas/:id /portal/:appKey/probar
     /portal/:appKey/puesta-en-marcha /portal/:appKey/uso /portal/:appKey/webhooks /portal/:appKey/webhooks/:topic
     /portal/:appKey/webhooks/:topic/editar /portal/:appKey/webhooks/:topic/eliminar
     /portal/:appKey/webhooks/:topic/secret /portal/:appKey/webhooks/:topic/destinos
     /portal/:appKey/webhooks/:topic/destinos/:destino /portal/:appKey/webhooks/:topic/destinos/:destino/editar
     /portal/:appKey/webhooks/:topic/destinos/:destino/secret /portal/:appKey/webhooks/:topic/destinos/:destino/eliminar`,
  ),
  // Only titulares manage keys; the only one cannot be revoked.
  ['/portal/:appKey/claves/rotar', within('404', '200', '404', { desarrollador: '403' })],
  ['/portal/:appKey/claves/:id/revocar', within('404', '409', '404', { desarrollador: '403' })],

  ...each(
    within('404', '404', '200'),
    `/consola /consola/agencias /consola/agencias/:id /consola/agencias/:id/apps/:appKey/terminar
     /consola/agencias/:id/paquete /consola/agencias/:id/personas/:accountId/quitar /consola/agencias/invitaciones
     /consola/apps /consola/apps/:appKey /consola/apps/:appKey/claves/:id/revocar /consola/apps/:appKey/deshabilitar
     /consola/apps/:appKey/equipo/:id/quitar /consola/apps/nueva /consola/auditoria /consola/consultas
     /consola/consultas/:sid /consola/correos /consola/correos/:id /consola/correos/:id/html /consola/entregas
     /consola/entregas/:id /consola/incidentes /consola/incidentes/:id /consola/incidentes/:id/eliminar
     /consola/marca /consola/personal /consola/personal/:id/quitar /consola/personal/:id/reiniciar
     /consola/publicaciones /consola/publicaciones/:id /consola/sitios
     /consola/sitios/:id/revocar /consola/supresiones /consola/supresiones/:id`,
  ),
])
