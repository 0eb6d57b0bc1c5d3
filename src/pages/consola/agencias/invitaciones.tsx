import { findApp, listApps } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { ESTADOS_INVITACION, type InvitacionEstado } from '../../../resources/agencias/agencia.ts'
import {
  type ListedInvitacion,
  listInvitaciones,
  resendInvitacion,
  revokeInvitacion,
} from '../../../resources/agencias/staff-invitations.ts'
import { loadedFilter, searchFilter, selectFilter } from '../../filter.tsx'
import { CONFIRMATION_FORM, textField } from '../../form.ts'
import type { TimeContext } from '../../format.tsx'
import { defineList, numberedPage, serveList } from '../../list.tsx'
import { PostButton } from '../../parts.tsx'
import { type ById, type NoticeName, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type Column, column, momentColumn } from '../../table.tsx'
import { CONSOLE, type ConsolePages, ModoBadge, throwConflict } from '../context.tsx'
import { AGENCIAS, agenciaHref, INVITACIONES } from './list.tsx'

const TONES: Record<InvitacionEstado, string> = {
  pendiente: 'info',
  aceptada: 'ok',
  vencida: 'attention',
  revocada: '',
  rebotada: 'error',
}

const INVITACIONES_LIST = defineList({
  audience: CONSOLE,
  section: INVITACIONES,
  navSection: AGENCIAS,
  title: 'Invitaciones',
  parentLink: { href: AGENCIAS, label: 'Agencias' },
  intro: 'Lo que enviaron las apps. Duran 14 días; a una dirección se le escribe hasta tres veces en 24 horas.',
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
  columns: (ctx) => invitacionColumns(ctx, INVITACIONES),
  empty: {
    none: 'Ninguna app invitó todavía a nadie.',
    noMatch: 'No hay invitaciones así.',
    all: 'Ver todas',
  },
})

/** Invitations and their buttons; `back` is the page that the buttons return to. */
export const invitacionColumns = (when: TimeContext, back: string): Column<ListedInvitacion>[] => [
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
  column('Estado', 'estado', (estado) => <span class={`badge ${TONES[estado]}`}>{estado}</span>),
  momentColumn('Enviada', when, ({ enviada }) => enviada),
  momentColumn('Vence', when, ({ vence }) => vence),
  {
    head: 'Acción',
    cell: ({ id, estado, adminMail }) =>
      OPEN.includes(estado) && (
        <span class="row tight">
          {['Reenviar', 'Revocar'].map((act) => (
            <PostButton
              key={act}
              action={`${INVITACIONES}/${id}/${act.toLowerCase()}`}
              class="secondary small"
              hidden={{ Volver: back }}
            >
              {act}
              <span class="visually-hidden"> la invitación a {adminMail}</span>
            </PostButton>
          ))}
        </span>
      ),
  },
]

const OPEN: readonly InvitacionEstado[] = ['pendiente', 'vencida', 'rebotada']

/** /consola/agencias/invitaciones: the invitations that apps sent. */
export function invitacionesRoutes(app: ConsolePages, deps: PageDeps): void {
  serveList(app, '/agencias/invitaciones', deps, INVITACIONES_LIST)

  /** Serves an act on an open invitation; the act is false where there is none. */
  const serveAct = (name: 'revocar' | 'reenviar', act: (id: number) => Promise<unknown>, notice: NoticeName) =>
    app.post<ById>(`/agencias/invitaciones/:id/${name}`, CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
      const { id } = params
      if (!/^\d{1,9}$/.test(id) || !(await act(Number(id)))) throw notFound('No hay una invitación abierta así.')
      await ctx.audit(`invitacion.${name}`, id)
      return redirectWithNotice(reply, notice, backOf(form))
    })

  serveAct('revocar', (id) => revokeInvitacion(deps, id), 'invitacion-revocada')
  serveAct('reenviar', (id) => resendInvitacion(deps, id).catch(throwConflict), 'invitacion-reenviada')
}

/** The page that the act was done from: the list, or one agency. */
function backOf(form: URLSearchParams): string {
  const returnTo = textField(form, 'Volver')
  return /^\/consola\/agencias\/\d{1,9}$/.test(returnTo) ? `${returnTo}#invitaciones` : INVITACIONES
}
