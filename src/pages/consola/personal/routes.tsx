import type { FastifyReply } from 'fastify'
import { fullName } from '../../../accounts/account.ts'
import { audit } from '../../../accounts/audit.ts'
import { endLinks } from '../../../accounts/links.ts'
import { MAIL_CHARACTERS } from '../../../accounts/mail-address.ts'
import { resetSecondFactor } from '../../../accounts/second-factor.ts'
import { listAskedStaff, listStaff, listStaffForStaff, removeStaff, type StaffMember } from '../../../accounts/staff.ts'
import { conflict, forbidden, notFound } from '../../../http/problems.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { tellOwner } from '../../entrar/owner.ts'
import { CONFIRMATION, formOf, formRoute, line } from '../../form.ts'
import { page } from '../../page.ts'
import { type Asking, choiceParam, numberedCursorParam, type Query, textParam, wantsCsv } from '../../params.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { confirmPage } from '../confirm.tsx'
import type { ConsoleContext, ConsolePages } from '../context.tsx'
import { type InvitedStaff, inviteStaff } from './invite.ts'
import { memberCsv, PERSONAL, SEGUNDOS, staffPage } from './list-page.tsx'

type ById = { Params: { id: string } }

const REFUSALS: Record<Exclude<InvitedStaff, 'asked'>, string> = {
  invalid: 'Escriba un correo, por ejemplo nombre@mercado.com.',
  already: 'Esa persona ya es del personal.',
  'too-many': 'Ya le enviamos varios correos hoy. Espere hasta mañana, o pídale que busque el último.',
}
const ABOVE = { href: PERSONAL, label: 'Personal' }

/** /consola/personal: who is of the staff, decided by the staff. */
export function staffRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  async function show(
    reply: FastifyReply,
    ctx: ConsoleContext,
    query: Query,
    invited?: { email: string; fault: string },
  ) {
    const filters = parseFilters(query)
    const [found, everyAsked] = await Promise.all([
      listStaffForStaff(store, filters, numberedCursorParam(query)),
      listAskedStaff(store),
    ])
    const asked = everyAsked.filter(({ email }) => email.includes(filters.q?.toLowerCase() ?? ''))
    const again = invited && { email: invited.email, errors: { Email: [invited.fault] } }
    return page(reply, staffPage({ ctx, filters, found, asked, ...(again && { invited: again }) }), invited ? 400 : 200)
  }

  /** Somebody else of the staff: nobody decides about themselves. */
  async function colleague(ctx: ConsoleContext, id: string): Promise<StaffMember> {
    const found = (await listStaff(store)).find((member) => String(member.id) === id)
    if (!found) throw notFound()
    if (found.id === ctx.account.id) throw forbidden('Sobre usted decide otra persona del personal.')
    return found
  }

  app.get<Asking>('/personal', async (request, reply) => {
    const { ctx } = request
    const { query } = request
    if (!wantsCsv(query)) return show(reply, ctx, query)
    const { rows } = await listStaffForStaff(store, parseFilters(query), { limit: MOST_CSV_ROWS })
    return sendCsv(reply, 'personal', memberCsv(ctx), rows)
  })

  app.post('/personal', formRoute(MAIL_CHARACTERS), async (request, reply) => {
    const { ctx } = request
    const email = line(formOf(request), 'Email')
    const outcome = await inviteStaff(deps, email, ctx.account)
    if (outcome === 'asked') return done(reply, 'personal-invitada', PERSONAL)
    return show(reply, ctx, {}, { email, fault: REFUSALS[outcome] })
  })

  app.post<ById>('/personal/:id/retirar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const asked = (await listAskedStaff(store)).find(({ id }) => String(id) === request.params.id)
    if (!asked) throw notFound()
    await endLinks(store, { accountId: asked.id, purpose: 'personal' })
    await ctx.audit('personal.retirar', `cuenta ${asked.id}`)
    return done(reply, 'personal-retirada', PERSONAL)
  })

  app.get<ById>('/personal/:id/quitar', async (request, reply) => {
    const { ctx } = request
    const member = await colleague(ctx, request.params.id)
    return page(
      reply,
      confirmPage({
        ...{ ctx, current: PERSONAL, above: ABOVE, button: 'Sí, quitar' },
        title: `¿Quitar a ${fullName(member)} del personal?`,
        action: `${PERSONAL}/${member.id}/quitar`,
        children: (
          <ul>
            <li>Sus sesiones se cierran en el acto, en todas partes.</li>
            <li>Lo que hizo sigue en la auditoría, a su nombre.</li>
            <li>Puede volver a invitarle; configurará su segundo paso de nuevo.</li>
          </ul>
        ),
      }),
    )
  })

  app.post<ById>('/personal/:id/quitar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { id } = await colleague(ctx, request.params.id)
    const removed = await store.transaction(async (tx) => {
      if (!(await removeStaff(tx, id))) return false
      await audit(tx, { accountId: ctx.account.id, via: 'consola', act: 'personal.quitar', subject: `cuenta ${id}` })
      return true
    })
    if (!removed) throw conflict({}, 'Alguien tiene que quedar en el personal.')
    return done(reply, 'personal-quitada', PERSONAL)
  })

  app.get<ById>('/personal/:id/reiniciar', async (request, reply) => {
    const { ctx } = request
    const member = await colleague(ctx, request.params.id)
    return page(
      reply,
      confirmPage({
        ...{ ctx, current: PERSONAL, above: ABOVE, button: 'Sí, reiniciar' },
        title: `¿Reiniciar el segundo paso de ${fullName(member)}?`,
        action: `${PERSONAL}/${member.id}/reiniciar`,
        children: (
          <>
            <p>
              Es para quien perdió su teléfono y sus códigos de recuperación.{' '}
              <strong>Asegúrese de que se lo pide esa persona</strong>: llámela, no alcanza con un correo.
            </p>
            <ul>
              <li>Su teléfono y sus códigos de recuperación dejan de servir, y sus sesiones se cierran.</li>
              <li>La próxima vez que entre con su clave configura otro teléfono. Le avisamos por correo.</li>
            </ul>
          </>
        ),
      }),
    )
  })

  app.post<ById>('/personal/:id/reiniciar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { account } = ctx
    const member = await colleague(ctx, request.params.id)
    const { id } = member
    const reset = await store.transaction(async (tx) => {
      if (!(await resetSecondFactor(tx, id))) return false
      await tellOwner(tx, deps, member, { hecho: 'reiniciado', porQuien: fullName(account) })
      const act = 'segundo-paso.reiniciar'
      await audit(tx, { accountId: account.id, via: 'consola', act, subject: `cuenta ${id}` })
      return true
    })
    if (!reset) throw conflict({}, 'Esa persona todavía no configuró su segundo paso.')
    return done(reply, 'personal-reiniciada', PERSONAL)
  })
}

const parseFilters = (query: Query) => ({
  q: textParam(query, 'q'),
  segundo: choiceParam(
    query,
    'segundo',
    SEGUNDOS.map(([name]) => name),
  ),
})
