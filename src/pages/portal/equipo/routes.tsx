import type { FastifyInstance, FastifyReply } from 'fastify'
import { fullName } from '../../../accounts/account.ts'
import { leaveTeam, withdrawMember } from '../../../accounts/leave-team.ts'
import { MAIL_CHARACTERS } from '../../../accounts/mail-address.ts'
import {
  isLastTitular,
  listMembers,
  lockTeam,
  type Member,
  type MemberRol,
  pendingMembers,
  setMember,
} from '../../../accounts/members.ts'
import { conflict, type Errors, forbidden, notFound } from '../../../http/problems.ts'
import type { Db } from '../../../store/db.ts'
import { CONFIRMATION, formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import type { ByApp } from '../access.ts'
import { confirmPage } from '../confirm.tsx'
import { decides } from '../decides.ts'
import { type PortalVisit, visitOf } from '../visit.tsx'
import { INVITE_REFUSALS, inviteMember } from './invite.ts'
import { SECTION, teamPage } from './page.tsx'

type ByMember = { Params: ByApp['Params'] & { id: string } }

const PATH = `/portal/:appKey${SECTION}`
const NO_SUCH = 'Nadie así está en el equipo.'
const LAST = 'Es el único titular: haga titular a otra persona primero. Una app sin titular no tendría quien decida.'

const isRol = (text: string): text is MemberRol => text === 'titular' || text === 'desarrollador'

/** /portal/{appKey}/equipo: who works on the app, decided by its titulares. */
export function teamRoutes(app: FastifyInstance, people: People): void {
  const { store } = people

  async function show(reply: FastifyReply, visit: PortalVisit, refused = {}, status = 200): Promise<FastifyReply> {
    const [members, pending] = [await listMembers(store, visit.app.id), await pendingMembers(store, visit.app.id)]
    return page(reply, teamPage({ visit, members, pending, ...refused }), status)
  }

  app.get<ByApp>(PATH, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    return visit ? show(reply, visit) : reply
  })

  app.post<ByApp>(PATH, formRoute(MAIL_CHARACTERS), async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    decides(visit)
    const form = formOf(request)
    const [email, rol] = [line(form, 'Email'), line(form, 'Rol')]
    const refuse = (errors: Errors) => show(reply, visit, { given: { email, rol }, errors }, 400)
    if (!isRol(rol)) return refuse({ Rol: ['Elija uno de los dos.'] })
    const outcome = await inviteMember(people, { app: visit.app, email, rol, by: visit.account })
    if (outcome !== 'asked') return refuse({ Email: [INVITE_REFUSALS[outcome]] })
    await visit.note('equipo.invitar', visit.app.appKey, { rol })
    return done(reply, 'equipo-invitado', visit.at + SECTION)
  })

  app.post<ByMember>(`${PATH}/:id/retirar`, CONFIRMATION, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    decides(visit)
    const id = /^\d{1,9}$/.test(request.params.id) ? Number(request.params.id) : 0
    const withdrawn = await store.transaction((tx) => withdrawMember(tx, visit.app.id, id))
    if (!withdrawn) throw notFound('Nadie así está invitado.')
    await visit.note('equipo.retirar-invitacion', visit.app.appKey)
    return done(reply, 'equipo-retirada', visit.at + SECTION)
  })

  /** Somebody of the team; 404 for anyone else. */
  async function memberAt(db: Db, visit: PortalVisit, id: string): Promise<Member> {
    const member = (await listMembers(db, visit.app.id)).find((each) => String(each.id) === id)
    if (!member) throw notFound(NO_SUCH)
    return member
  }

  /** Holds the team, and refuses to leave it without a titular. */
  async function holdUnlessLast(tx: Db, visit: PortalVisit, accountId: number): Promise<void> {
    await lockTeam(tx, visit.app.id)
    if (await isLastTitular(tx, visit.app.id, accountId)) throw conflict({ _: [LAST] }, LAST)
  }

  app.post<ByMember>(`${PATH}/:id/rol`, CONFIRMATION, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    decides(visit)
    const rol = line(formOf(request), 'Rol')
    if (!isRol(rol)) throw notFound('No hay un rol así.')
    const { id } = await memberAt(store, visit, request.params.id)
    await store.transaction(async (tx) => {
      if (rol !== 'titular') await holdUnlessLast(tx, visit, id)
      await memberAt(tx, visit, String(id))
      await setMember(tx, visit.app.id, id, rol)
    })
    await visit.note('equipo.rol', visit.app.appKey, { cuenta: id, rol })
    return done(reply, 'equipo-rol', visit.at + SECTION)
  })

  /** Whom somebody may remove: a titular anyone, others themselves. */
  async function removable(visit: PortalVisit, id: string): Promise<Member> {
    const member = await memberAt(store, visit, id)
    if (visit.rol !== 'titular' && member.id !== visit.account.id)
      throw forbidden('Solo quien es titular quita a otra persona del equipo.')
    return member
  }

  app.get<ByMember>(`${PATH}/:id/quitar`, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const member = await removable(visit, request.params.id)
    const isOneself = member.id === visit.account.id
    const name = fullName(member)
    const text = isOneself
      ? `Deja de ver ${visit.app.nombre}. Para volver, un titular tiene que invitarle.`
      : `Deja de ver ${visit.app.nombre} en este momento. Si conoce el AppSecret, cree uno nuevo y revoque el anterior.`
    return page(
      reply,
      confirmPage({
        visit,
        section: SECTION,
        above: { href: visit.at + SECTION, label: 'Equipo' },
        title: isOneself ? '¿Dejar el equipo?' : `¿Quitar a ${name}?`,
        action: `${visit.at}${SECTION}/${member.id}/quitar`,
        button: isOneself ? 'Sí, dejar el equipo' : 'Sí, quitar',
        children: <p>{text}</p>,
      }),
    )
  })

  app.post<ByMember>(`${PATH}/:id/quitar`, CONFIRMATION, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    const member = await removable(visit, request.params.id)
    const outcome = await store.transaction((tx) => leaveTeam(tx, visit.app.id, member.id))
    if (outcome === 'gone') throw notFound(NO_SUCH)
    if (outcome === 'last') throw conflict({ _: [LAST] }, LAST)
    await visit.note('equipo.quitar', visit.app.appKey, { cuenta: member.id })
    if (member.id === visit.account.id) return done(reply, 'equipo-dejado', '/portal')
    return done(reply, 'equipo-quitado', visit.at + SECTION)
  })
}
