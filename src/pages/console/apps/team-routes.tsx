import type { FastifyInstance } from 'fastify'
import { removeMember } from '../../../accounts/members.ts'
import { notFound } from '../../../http/problems.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { visitBy } from '../visit.tsx'
import { openApps } from './access.ts'
import { APPS, appHref } from './parts.tsx'

type ByMember = { Params: { appKey: string; id: string } }

/** /consola/apps/{AppKey}/equipo: who sees the app in the portal. */
export function appTeamRoutes(app: FastifyInstance, people: People): void {
  const { store } = people
  const apps = openApps(people)

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
