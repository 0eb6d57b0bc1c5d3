import { fullName } from '../../../accounts/account.ts'
import { leaveTeam, withdrawMember } from '../../../accounts/leave-team.ts'
import { MAIL_CHARACTERS } from '../../../accounts/mail-address.ts'
import { listMembers, type MemberRol } from '../../../accounts/members.ts'
import { conflict, notFound } from '../../../http/problems.ts'
import { INVITE_REFUSALS, inviteMember } from '../../equipo/invite.ts'
import { CONFIRMATION, formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { ROLES } from '../../team.tsx'
import { confirmPage } from '../confirm.tsx'
import type { ConsolePages } from '../context.tsx'
import { type ByAppKey, openApps } from './access.ts'
import { appPage } from './one-page.tsx'
import { APPS, appHref } from './parts.tsx'

type ByMember = { Params: { appKey: string; id: string } }

const LAST = 'Es la única persona titular: invite a otra primero. Una app sin titular no tendría quien decida.'

/** What is no id is nobody's. */
const accountIdOf = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) : 0)

/** /consola/apps/{AppKey}/equipo: who sees the app in the portal. */
export function appTeamRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps
  const apps = openApps(deps)

  app.post<ByAppKey>('/apps/:appKey/equipo', formRoute(MAIL_CHARACTERS), async (request, reply) => {
    const { ctx } = request
    const found = await apps.find(request.params.appKey)
    const form = formOf(request)
    const given = { Email: line(form, 'Email'), Rol: line(form, 'Rol') }
    const rol = (Object.keys(ROLES) as MemberRol[]).find((known) => known === given.Rol)
    const outcome = rol && (await inviteMember(deps, { app: found, email: given.Email, rol }))
    if (outcome !== 'asked') {
      const errors = outcome ? { Email: [INVITE_REFUSALS[outcome]] } : { Rol: ['Elija un rol.'] }
      const refused = { form: 'equipo' as const, given, errors }
      return page(allowScript(reply), appPage({ ctx, ...(await apps.view(found.appKey)), refused }), 400)
    }
    await ctx.audit('app.equipo-invitar', found.appKey, { rol })
    return done(reply, 'app-equipo-invitada', `${appHref(found)}#equipo`)
  })

  app.post<ByMember>('/apps/:appKey/equipo/:id/retirar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const found = await apps.find(request.params.appKey)
    const id = accountIdOf(request.params.id)
    if (!(await store.transaction((tx) => withdrawMember(tx, found.id, id)))) throw notFound('Nadie así está invitado.')
    await ctx.audit('app.equipo-retirar', found.appKey, { cuenta: id })
    return done(reply, 'app-equipo-retirada', `${appHref(found)}#equipo`)
  })

  app.get<ByMember>('/apps/:appKey/equipo/:id/quitar', async (request, reply) => {
    const { ctx } = request
    const found = await apps.find(request.params.appKey)
    const member = (await listMembers(store, found.id)).find(({ id }) => String(id) === request.params.id)
    if (!member) throw notFound()
    return page(
      reply,
      confirmPage({
        ...{ ctx, current: APPS, above: { href: `${appHref(found)}#equipo`, label: found.nombre } },
        title: `¿Quitar a ${fullName(member)} del equipo?`,
        action: `${appHref(found)}/equipo/${member.id}/quitar`,
        button: 'Sí, quitar',
        children: (
          <ul>
            <li>
              Deja de ver {found.nombre} en el portal en este momento, y las invitaciones que tenga dejan de servir.
            </li>
            <li>Si conoce el AppSecret lo sigue conociendo: haga una clave nueva y revoque la anterior.</li>
          </ul>
        ),
      }),
    )
  })

  app.post<ByMember>('/apps/:appKey/equipo/:id/quitar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const found = await apps.find(request.params.appKey)
    const id = accountIdOf(request.params.id)
    const outcome = await store.transaction((tx) => leaveTeam(tx, found.id, id))
    if (outcome === 'gone') throw notFound()
    if (outcome === 'last') throw conflict({ _: [LAST] }, LAST)
    await ctx.audit('app.equipo-quitar', found.appKey, { cuenta: id })
    return done(reply, 'app-equipo-quitada', `${appHref(found)}#equipo`)
  })
}
