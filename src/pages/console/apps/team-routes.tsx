import type { FastifyInstance } from 'fastify'
import { type MemberRol, removeMember } from '../../../accounts/members.ts'
import { notFound } from '../../../http/problems.ts'
import { formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { INVITE_REFUSALS, inviteMember } from '../../portal/equipo/invite.ts'
import { allowScript } from '../../security.ts'
import { visitBy } from '../visit.tsx'
import { type ByAppKey, openApps } from './access.ts'
import { appPage } from './one-page.tsx'
import { APPS, appHref } from './parts.tsx'
import { ROLES } from './team.tsx'

type ByMember = { Params: { appKey: string; id: string } }

/** /consola/apps/{AppKey}/equipo: who sees the app in the portal. */
export function appTeamRoutes(app: FastifyInstance, people: People): void {
  const { store } = people
  const apps = openApps(people)

  app.post<ByAppKey>(`${APPS}/:appKey/equipo`, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const found = await apps.find(request.params.appKey)
    const form = formOf(request)
    const given = { Email: line(form, 'Email'), Rol: line(form, 'Rol') }
    const rol = (Object.keys(ROLES) as MemberRol[]).find((known) => known === given.Rol)
    const outcome = rol && (await inviteMember(people, { app: found, email: given.Email, rol }))
    if (outcome !== 'asked') {
      const errors = outcome ? { Email: [INVITE_REFUSALS[outcome]] } : { Rol: ['Elija un rol.'] }
      const refused = { form: 'equipo' as const, given, errors }
      return page(allowScript(reply), appPage({ visit, ...(await apps.view(found.appKey)), refused }), 400)
    }
    await visit.note('app.equipo-invitar', found.appKey, { rol })
    return done(reply, 'app-equipo-invitada', `${appHref(found)}#equipo`)
  })

  app.post<ByMember>(`${APPS}/:appKey/equipo/:id/quitar`, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const found = await apps.find(request.params.appKey)
    const { id } = request.params
    if (!/^\d{1,9}$/.test(id) || !(await removeMember(store, found.id, Number(id)))) throw notFound()
    await visit.note('app.equipo-quitar', found.appKey, { cuenta: Number(id) })
    return done(reply, 'app-equipo-quitada', `${appHref(found)}#equipo`)
  })
}
