import type { Place } from '../app-shell.tsx'

/** The console of the marketplace's staff, page by page. */
export const CONSOLE: Place = {
  title: 'Consola',
  drawnAs: 'consola',
  entries: [
    { href: '/consola', label: 'Resumen' },
    { href: '/consola/agencias', label: 'Agencias' },
    { href: '/consola/apps', label: 'Apps' },
    { href: '/consola/consultas', label: 'Consultas' },
    { href: '/consola/publicaciones', label: 'Avisos' },
    { href: '/consola/entregas', label: 'Entregas' },
    { href: '/consola/correos', label: 'Correos' },
    { href: '/consola/supresiones', label: 'Supresiones' },
    { href: '/consola/sitios', label: 'Sitios' },
    { href: '/consola/personal', label: 'Personal' },
    { href: '/consola/auditoria', label: 'Auditoría' },
  ],
}
