import { findApp, listApps } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { ESTADOS_INVITACION, type InvitacionEstado } from '../../../resources/agencias/agencia.ts'
import {
  type ListedInvitacion,
  listInvitaciones,
  resendInvitacion,
  revokeInvitacion,
} from '../../../resources/agencias/invitations.ts'
import { loadedFilter, searchFilter, selectFilter } from '../../filter.tsx'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import type { When } from '../../format.tsx'
import { defineList, numberedPage, serveList } from '../../list.tsx'
import { PostButton } from '../../parts.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import type { Column } from '../../table.tsx'
import { momentColumn } from '../../table.tsx'
import { asConflict, CONSOLE, type ConsolePages, ModoBadge } from '../context.tsx'
import type { ById } from './parts.tsx'

import { AGENCIAS, agenciaHref, INVITACIONES, InvitacionBadge } from './parts.tsx'

/** The invitations that apps sent to agencies. */
const INVITACIONES_LIST = defineList({
  audience: CONSOLE,
  section: INVITACIONES,
  navSection: AGENCIAS,
  title: 'Invitaciones',
  above: { href: AGENCIAS, label: 'Agencias' },
  lead: () => (
    <p>Lo que enviaron las apps. Duran 14 días; a una dirección se le escribe hasta tres veces en 24 horas.</p>
  ),
  filters: {
    mail: searchFilter('Correo'),
    app: loadedFilter('App', 'Todas'),
    estado: selectFilter('Estado', 'Todos', ESTADOS_INVITACION),
  },
  load: async ({ store }, request) => {
    const { mail, app, estado } = request.filters
    const appId = app ? ((await findApp(store, app))?.id ?? 0) : undefined
    const [found, apps] = await Promise.all([
      numberedPage(request, (cursor) => listInvitaciones(store, { mail, appId, estado }, cursor)),
      listApps(store),
    ])
    return { ...found, choices: { app: apps.map(({ appKey, nombre }) => [appKey, nombre] as const) } }
  },
  // Without the address: the log is no second place for it.
  audit: ({ filters: { mail, estado }, found }) => ({
    act: 'invitaciones.listar',
    detail: { estado, porCorreo: mail !== undefined, invitaciones: found.rows.length },
  }),
  idOf: ({ id }) => id,
  columns: (ctx) => invitacionColumns(ctx, INVITACIONES),
  empty: {
    none: 'Ninguna app invitó todavía a nadie.',
    noMatch: 'No hay invitaciones así.',
    all: 'Ver todas',
  },
  csvName: 'invitaciones',
})

/** Invitations and their buttons; `back` is the page that the buttons return to. */
export const invitacionColumns = (when: When, back: string): Column<ListedInvitacion>[] => [
  {
    head: 'A quién',
    cell: ({ adminMail, nombre, agenciaId }) => (
      <span>
        <span class="anywhere">
          {agenciaId === null ? adminMail : <a href={agenciaHref({ id: agenciaId })}>{adminMail}</a>}
        </span>
        {nombre && <span class="hint below">{nombre}</span>}
      </span>
    ),
    text: ({ adminMail }) => adminMail,
  },
  {
    head: 'App',
    cell: ({ app, modo }) => (
      <span class="row tight">
        <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
        {modo === 'prueba' && <ModoBadge modo={modo} />}
      </span>
    ),
    text: ({ app }) => app.nombre,
  },
  { head: 'Estado', cell: ({ estado }) => <InvitacionBadge estado={estado} />, text: ({ estado }) => estado },
  momentColumn('Enviada', when, ({ enviada }) => enviada),
  momentColumn('Vence', when, ({ vence }) => vence),
  {
    head: 'Acción',
    cell: ({ id, estado, adminMail }) =>
      OPEN.includes(estado) ? (
        <span class="row tight">
          <ActButton path={`${INVITACIONES}/${id}/reenviar`} back={back} label="Reenviar" to={adminMail} />
          <ActButton path={`${INVITACIONES}/${id}/revocar`} back={back} label="Revocar" to={adminMail} />
        </span>
      ) : null,
  },
]

const OPEN: readonly InvitacionEstado[] = ['pendiente', 'vencida', 'rebotada']

const ActButton = ({ path, back, label, to }: { path: string; back: string; label: string; to: string }) => (
  <PostButton action={path} class="secondary small" hidden={{ Volver: back }}>
    {label}
    <span class="visually-hidden"> la invitación a {to}</span>
  </PostButton>
)

const NO_SUCH = 'No hay una invitación abierta así.'

/** /consola/agencias/invitaciones: the invitations that apps sent. */
export function invitacionesRoutes(app: ConsolePages, deps: PageDeps): void {
  serveList(app, '/agencias/invitaciones', deps, INVITACIONES_LIST)

  app.post<ById>('/agencias/invitaciones/:id/revocar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const id = numberOf(request.params.id)
    if (!(await revokeInvitacion(deps, id))) throw notFound(NO_SUCH)
    await ctx.audit('invitacion.revocar', String(id))
    return redirectWithNotice(reply, 'invitacion-revocada', backOf(formOf(request)))
  })

  app.post<ById>('/agencias/invitaciones/:id/reenviar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const id = numberOf(request.params.id)
    const sent = await resendInvitacion(deps, id).catch((error: unknown) => {
      throw asConflict(error)
    })
    if (!sent) throw notFound(NO_SUCH)
    await ctx.audit('invitacion.reenviar', String(id))
    return redirectWithNotice(reply, 'invitacion-reenviada', backOf(formOf(request)))
  })
}

function numberOf(id: string): number {
  if (!/^\d{1,9}$/.test(id)) throw notFound(NO_SUCH)
  return Number(id)
}

/** The page that the act was done from: the list, or one agency. */
function backOf(form: URLSearchParams): string {
  const back = line(form, 'Volver')
  return /^\/consola\/agencias\/\d{1,9}$/.test(back) ? `${back}#invitaciones` : INVITACIONES
}
