export const ROLES = ['anonymous', 'agency', 'vendedor', 'developer', 'desarrollador', 'halfway', 'staff'] as const
/**
 * A status, and where it leads. `agency` administers it, `vendedor` helps there; `developer` is titular of the app,
 * `desarrollador` of its team; `halfway` is one of the staff who has not shown the second factor.
 */
export type Statuses = Record<(typeof ROLES)[number], string>

/** What those get who do not decide, where it is otherwise. */
type Less = Partial<Pick<Statuses, 'vendedor' | 'desarrollador'>>

/** What everyone gets: who helps the same as who decides, unless it is said. */
export const statuses = (
  anonymous: string,
  agency: string,
  developer: string,
  halfway: string,
  staff: string,
  less: Less = {},
): Statuses => ({ anonymous, agency, vendedor: agency, developer, desarrollador: developer, halfway, staff, ...less })
/** The same to everyone. */
export const alike = (status: string) => statuses(status, status, status, status, status)
/** Pages of those who are signed in, and what each of them gets. */
export const within = (agency: string, developer: string, staff: string, less: Less = {}) =>
  statuses('303 /entrar', agency, developer, '303 /entrar/codigo', staff, less)
/** The same of each of those addresses. */
export const each = (of: Statuses, urls: string): [string, Statuses][] =>
  urls
    .trim()
    .split(/\s+/)
    .map((url) => [url, of])

/** What every page answers to everyone, where it is the agency's, the developer's app's, or there at all. A new one without its place here fails the suite. */
export const PAGES = new Map<string, Statuses>([
  ...each(
    alike('200'),
    `/ /docs /docs/guia /docs/guia/:capitulo /docs/ejemplos/:lenguaje/:archivo /docs/buscar /openapi.json /problemas
     /problemas/:nombre /clave /sugerencias/ciudades /aviso/:id /aviso/:id/consultar /aviso/:id/consultar/gracias`,
  ),
  // Links of letters: one that was never sent is nothing to anyone.
  ...each(
    alike('404'),
    '/clave/:token /registro/:token /colaborar/:token /personal/:token /equipo/:token /baja/:token',
  ),
  ['/entrar', statuses('200', '303 /cuenta', '303 /portal', '303 /entrar/codigo', '303 /consola')],
  ['/entrar/codigo', statuses('303 /entrar', '303 /cuenta', '303 /portal', '200', '303 /consola')],
  ['/conectar/:appKey', statuses('200', '200', '403', '200', '403', { vendedor: '403' })], // it asks to sign in by itself

  // One's own, whoever one is; an agency's, for its people; what only its administrator does.
  ...each(within('200', '200', '200'), '/cuenta /cuenta/acceso /cuenta/clave'),
  ...each(
    within('200', '404', '404'),
    `/cuenta/apps /cuenta/colaboradores /cuenta/consultas /cuenta/datos /cuenta/publicaciones /cuenta/sucursales`,
  ),
  ['/cuenta/consultas/:sid', within('200', '404', '404', { vendedor: '404' })], // it is another's to answer
  ...each(
    within('200', '403', '403', { vendedor: '403' }),
    `/cuenta/administrador /cuenta/apps/:appKey/terminar /cuenta/colaboradores/:id/quitar
     /cuenta/publicaciones/:id/terminar /cuenta/sucursales/nueva /cuenta/sucursales/:id /cuenta/sucursales/:id/quitar`,
  ),

  ['/portal', within('200', '303 /portal/:appKey', '200')], // without an app it says how one gets there
  ...each(
    within('404', '200', '404'),
    `/portal/:appKey /portal/:appKey/claves /portal/:appKey/entregas
     /portal/:appKey/entregas/:id /portal/:appKey/entregas/reenviar /portal/:appKey/equipo
     /portal/:appKey/equipo/:id/quitar /portal/:appKey/eventos /portal/:appKey/eventos/:id /portal/:appKey/probar
     /portal/:appKey/puesta-en-marcha /portal/:appKey/uso /portal/:appKey/webhooks /portal/:appKey/webhooks/:topic
     /portal/:appKey/webhooks/:topic/editar /portal/:appKey/webhooks/:topic/eliminar
     /portal/:appKey/webhooks/:topic/secret`,
  ),
  // Keys are the titulares' to decide about; the only one is not revoked.
  ['/portal/:appKey/claves/rotar', within('404', '200', '404', { desarrollador: '403' })],
  ['/portal/:appKey/claves/:id/revocar', within('404', '409', '404', { desarrollador: '403' })],

  ...each(
    within('404', '404', '200'),
    `/consola /consola/agencias /consola/agencias/:id /consola/agencias/:id/apps/:appKey/terminar
     /consola/agencias/:id/paquete /consola/agencias/:id/personas/:accountId/quitar /consola/agencias/invitaciones
     /consola/apps /consola/apps/:appKey /consola/apps/:appKey/claves/:id/revocar /consola/apps/:appKey/deshabilitar
     /consola/apps/:appKey/equipo/:id/quitar /consola/apps/nueva /consola/auditoria /consola/consultas
     /consola/consultas/:sid /consola/correos /consola/correos/:id /consola/correos/:id/html /consola/entregas
     /consola/entregas/:id /consola/personal /consola/personal/:id/quitar /consola/personal/:id/reiniciar
     /consola/personal/acceso /consola/publicaciones /consola/publicaciones/:id /consola/sitios
     /consola/sitios/:id/revocar /consola/supresiones /consola/supresiones/:id`,
  ),
])
