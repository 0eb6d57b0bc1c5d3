import { fullName, MAIL_CHARACTERS } from '../../../accounts/account.ts'
import { leaveTeam, listMembers, type MemberRol, withdrawMember } from '../../../accounts/members.ts'
import { conflict, notFound } from '../../../http/problems.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { INVITE_REFUSALS, inviteMember } from '../../equipo/invite.ts'
import { CONFIRMATION, formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { ROLES } from '../../team.tsx'
import { CONSOLE, type ConsolePages } from '../context.tsx'
import { type ByAppKey, openApps } from './access.ts'
import { APPS, appHref } from './list.tsx'
import { appPage } from './one-page.tsx'

type ByMember = { Params: { appKey: string; id: string } }

const LAST = 'Es la única persona titular: invite a otra primero. Una app sin titular no tendría quien decida.'

/** 0, which no account has, for what is no id. */
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
    if (outcome !== 'invited') {
      const errors = outcome ? { Email: [INVITE_REFUSALS[outcome]] } : { Rol: ['Elija un rol.'] }
      const refused = { form: 'equipo' as const, given, errors }
      return page(allowScript(reply), appPage({ ctx, ...(await apps.view(found.appKey)), refused }), 400)
    }
    await ctx.audit('app.equipo-invitar', found.appKey, { rol })
    return redirectWithNotice(reply, 'app-equipo-invitada', `${appHref(found)}#equipo`)
  })

  app.post<ByMember>('/apps/:appKey/equipo/:id/retirar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const found = await apps.find(request.params.appKey)
    const id = accountIdOf(request.params.id)
    if (!(await store.transaction((tx) => withdrawMember(tx, found.id, id)))) throw notFound('Nadie así está invitado.')
    await ctx.audit('app.equipo-retirar', found.appKey, { cuenta: id })
    return redirectWithNotice(reply, 'app-equipo-retirada', `${appHref(found)}#equipo`)
  })

  serveConfirmation(app, '/apps/:appKey/equipo/:id/quitar', {
    audience: CONSOLE,
    section: APPS,
    load: async ({ appKey, id }: ByMember['Params']) => {
      const found = await apps.find(appKey)
      const member = (await listMembers(store, found.id)).find((each) => String(each.id) === id)
      if (!member) throw notFound()
      return { app: found, member }
    },
    above: ({ app: { appKey, nombre } }) => ({ href: `${appHref({ appKey })}#equipo`, label: nombre }),
    question: ({ app: { nombre }, member }) => ({
      title: `¿Quitar a ${fullName(member)} del equipo?`,
      button: 'Sí, quitar',
      consequences: (
        <ul>
          <li>Deja de ver {nombre} en el portal en este momento, y las invitaciones que tenga dejan de servir.</li>
          <li>Si conoce el AppSecret lo sigue conociendo: haga una clave nueva y revoque la anterior.</li>
        </ul>
      ),
    }),
    act: async ({ app: { id, appKey }, member }, ctx) => {
      const outcome = await store.transaction((tx) => leaveTeam(tx, id, member.id))
      if (outcome === 'gone') throw notFound()
      if (outcome === 'last') throw conflict({ _: [LAST] }, LAST)
      await ctx.audit('app.equipo-quitar', appKey, { cuenta: member.id })
    },
    notice: 'app-equipo-quitada',
  })
}
