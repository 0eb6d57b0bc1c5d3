import { findApp, listApps } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { message, rich, t } from '../../../i18n/messages.tsx'
import { ESTADOS_INVITACION, type InvitacionEstado } from '../../../resources/agencias/agencia.ts'
import {
  type ListedInvitacion,
  listInvitaciones,
  resendInvitacion,
  revokeOpenInvitacion,
} from '../../../resources/agencias/staff-invitaciones.ts'
import type { Joining } from '../../../store/db.ts'
import { capitalize } from '../../../text.ts'
import { loadedFilter, searchFilter, selectFilter } from '../../filter.tsx'
import { CONFIRMATION_FORM, textField } from '../../form.ts'
import type { TimeContext } from '../../format.tsx'
import { appChoices } from '../../labels.tsx'
import { defineList, numberedPage, serveList } from '../../list.tsx'
import { listFormPath, listPath } from '../../list-form.ts'
import type { PageRequest } from '../../page.ts'
import { PostButton } from '../../parts.tsx'
import { type ById, type NoticeName, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type Column, column, momentColumn } from '../../table.tsx'
import { CONSOLE, type ConsoleContext, type ConsolePages, ModoBadge, throwConflict } from '../context.tsx'
import { AGENCIAS, consolaAgenciaHref, INVITACIONES } from './list.tsx'

const TONES: Record<InvitacionEstado, string> = {
  pendiente: 'info',
  aceptada: 'ok',
  vencida: 'attention',
  revocada: '',
  rebotada: 'error',
}

const INVITACIONES_LIST = defineList(() => ({
  audience: CONSOLE,
  section: INVITACIONES,
  title: t('consola.invitations.title'),
  parentLink: { href: AGENCIAS, label: t('consola.nav.agencias') },
  intro: t('consola.invitations.intro'),
  filters: {
    mail: searchFilter(t('consola.head.email')),
    app: loadedFilter(t('consola.head.app'), t('consola.filter.all.apps')),
    estado: selectFilter(
      t('consola.head.state'),
      t('consola.filter.all.m'),
      ESTADOS_INVITACION.map((estado) => [estado, capitalize(t(`consola.invitation.estado.${estado}`))] as const),
    ),
  },
  load: async ({ store }, request) => {
    const { mail, app, estado } = request.filters
    const appId = app ? ((await findApp(store, app))?.id ?? 0) : undefined
    const [found, apps] = await Promise.all([
      numberedPage(request, (cursor) => listInvitaciones(store, { mail, appId, estado }, cursor)),
      listApps(store),
    ])
    return { ...found, choices: { app: appChoices(apps) } }
  },
  // Without the address: the log is no second place for it.
  audit: ({ filters: { mail, estado }, found }) => ({
    act: 'invitaciones.listar',
    detail: { estado, porCorreo: mail !== undefined, invitaciones: found.rows.length },
  }),
  columns: (ctx, view) => invitacionColumns(ctx, (action) => listFormPath(CONSOLE, action, view)),
  empty: {
    none: t('consola.invitations.none'),
    noMatch: t('consola.invitations.noMatch'),
    all: t('consola.filter.seeAll.invitations'),
  },
}))

/** Invitations and their buttons. They return to the page `back`, or to the list as its `formPath` has it. */
export const invitacionColumns = (
  when: TimeContext,
  formPath: (action: string) => string,
  back?: string,
): Column<ListedInvitacion>[] => [
  {
    head: t('consola.invitations.to'),
    cell: ({ adminMail, nombre, agenciaId }) => (
      <span>
        <span class="anywhere">
          {agenciaId === null ? adminMail : <a href={consolaAgenciaHref({ id: agenciaId })}>{adminMail}</a>}
        </span>
        {nombre && <span class="hint below">{nombre}</span>}
      </span>
    ),
    text: ({ adminMail }) => adminMail,
  },
  {
    head: t('consola.head.app'),
    cell: ({ app, modo }) => (
      <span class="row tight">
        <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
        {modo === 'prueba' && <ModoBadge modo={modo} />}
      </span>
    ),
    text: ({ app }) => app.nombre,
  },
  column(t('consola.head.state'), 'estado', (estado) => (
    <span class={`badge ${TONES[estado]}`}>{t(`consola.invitation.estado.${estado}`)}</span>
  )),
  momentColumn(t('consola.invitations.sent'), when, ({ enviada }) => enviada),
  momentColumn(t('consola.head.expires'), when, ({ vence }) => vence),
  {
    head: t('consola.head.act'),
    acts: true,
    cell: ({ id, estado, adminMail }) =>
      OPEN.includes(estado) && (
        <span class="row tight">
          {(['reenviar', 'revocar'] as const).map((act) => (
            <PostButton
              key={act}
              action={formPath(`${INVITACIONES}/${id}/${act}`)}
              class="secondary small"
              {...(back && { hidden: { Volver: back } })}
            >
              {rich(`consola.invitations.${act}`, { mail: adminMail })}
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
  const serveAct = (
    name: 'revocar' | 'reenviar',
    act: (deps: Joining<PageDeps>, id: number) => Promise<unknown>,
    notice: NoticeName,
  ) =>
    app.post<ById>(`/agencias/invitaciones/:id/${name}`, CONFIRMATION_FORM, async (request, reply) => {
      const { ctx, params } = request
      const { id } = params
      await ctx.change({ act: `invitacion.${name}`, subject: id }, async (tx) => {
        if (!/^\d{1,9}$/.test(id) || !(await act({ ...deps, store: tx }, Number(id))))
          throw notFound(message('consola.invitations.notOpen'))
      })
      return redirectWithNotice(reply, notice, backOf(request))
    })

  serveAct('revocar', revokeOpenInvitacion, 'invitacion-revocada')
  serveAct('reenviar', (joined, id) => resendInvitacion(joined, id).catch(throwConflict), 'invitacion-reenviada')
}

/** The page that the act was done from: the list, or one agency. */
function backOf(request: PageRequest<ConsoleContext>): string {
  const returnTo = textField(request.form, 'Volver')
  return /^\/consola\/agencias\/\d{1,9}$/.test(returnTo) ? `${returnTo}#invitaciones` : listPath(INVITACIONES, request)
}
