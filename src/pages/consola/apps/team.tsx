import { fullName, MAIL_CHARACTERS, type MemberRol } from '../../../accounts/account.ts'
import { leaveTeam, listMembers, type Member, type PendingMember, withdrawMember } from '../../../accounts/members.ts'
import type { App } from '../../../apps/app.ts'
import { conflict, notFound } from '../../../http/problems.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { INVITE_REFUSALS, InviteMember, inviteMember, PendingMembers, ROLES } from '../../equipo/routes.tsx'
import { DangerLink } from '../../fields.tsx'
import { CONFIRMATION, formOf, formRoute, linesOf } from '../../form.ts'
import type { Refused } from '../../form-fields.tsx'
import type { When } from '../../format.tsx'
import { Section } from '../../parts.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsolePages } from '../context.tsx'
import { APPS, appAt, appHref, type ByAppKey } from './list.tsx'
import type { ShowRefused } from './settings.tsx'

type ByMember = { Params: { appKey: string; id: string } }

const LAST = 'Es la única persona titular: invite a otra primero. Una app sin titular no tendría quien decida.'

/** 0, which no account has, for what is no id. */
const accountIdOf = (id: string): number => (/^\d{1,9}$/.test(id) ? Number(id) : 0)

/** /consola/apps/{AppKey}/equipo: who sees the app in the portal. */
export function appTeamRoutes(app: ConsolePages, deps: PageDeps, showRefused: ShowRefused): void {
  const { store } = deps

  app.post<ByAppKey>('/apps/:appKey/equipo', formRoute(MAIL_CHARACTERS), async (request, reply) => {
    const { ctx } = request
    const found = await appAt(deps, request.params.appKey)
    const given = linesOf(formOf(request), ['Email', 'Rol'])
    const rol = (Object.keys(ROLES) as MemberRol[]).find((known) => known === given.Rol)
    const outcome = rol && (await inviteMember(deps, { app: found, email: given.Email, rol }))
    if (outcome !== 'invited') {
      const errors = outcome ? { Email: [INVITE_REFUSALS[outcome]] } : { Rol: ['Elija un rol.'] }
      return showRefused(reply, ctx, found.appKey, { form: 'equipo', given, errors })
    }
    await ctx.audit('app.equipo-invitar', found.appKey, { rol })
    return redirectWithNotice(reply, 'app-equipo-invitada', `${appHref(found)}#equipo`)
  })

  app.post<ByMember>('/apps/:appKey/equipo/:id/retirar', CONFIRMATION, async ({ ctx, params }, reply) => {
    const found = await appAt(deps, params.appKey)
    const id = accountIdOf(params.id)
    if (!(await store.transaction((tx) => withdrawMember(tx, found.id, id)))) throw notFound('Nadie así está invitado.')
    await ctx.audit('app.equipo-retirar', found.appKey, { cuenta: id })
    return redirectWithNotice(reply, 'app-equipo-retirada', `${appHref(found)}#equipo`)
  })

  serveConfirmation(app, '/apps/:appKey/equipo/:id/quitar', {
    audience: CONSOLE,
    section: APPS,
    load: async ({ appKey, id }: ByMember['Params']) => {
      const found = await appAt(deps, appKey)
      const member = (await listMembers(store, found.id)).find((each) => String(each.id) === id)
      if (!member) throw notFound()
      return { app: found, member }
    },
    above: ({ app: { appKey, nombre } }) => ({ href: `${appHref({ appKey })}#equipo`, label: nombre }),
    question: ({ app: { nombre }, member }) => ({
      title: `¿Quitar a ${fullName(member)} del equipo?`,
      button: 'Sí, quitar',
      consequences: [
        `Deja de ver ${nombre} en el portal en este momento, y las invitaciones que tenga dejan de servir.`,
        'Si conoce el AppSecret lo sigue conociendo: haga una clave nueva y revoque la anterior.',
      ],
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

interface Props {
  app: App
  members: Member[]
  pending: PendingMember[]
  when: When
  refused: Refused | undefined
}

/** The team of the app, and pending invitations. */
export const Team = ({ app, members, pending, when, refused }: Props) => (
  <Section id="equipo" title="Equipo">
    {members.length === 0 ? (
      <p class="empty">Nadie ve esta app en el portal. Invite a un titular: él decide sobre las claves y el equipo.</p>
    ) : (
      <ul class="rows">
        {members.map((member) => (
          <li key={member.id}>
            <span>
              <strong>{fullName(member)}</strong>
              <span class="hint">{member.email}</span>
            </span>
            <span class="badge">{ROLES[member.rol]}</span>
            <DangerLink
              href={`${appHref(app)}/equipo/${member.id}/quitar`}
              label="Quitar"
              to={`a ${fullName(member)}`}
            />
          </li>
        ))}
      </ul>
    )}
    {pending.length > 0 && (
      <>
        <h3>Invitaciones sin aceptar</h3>
        <PendingMembers at={`${appHref(app)}/equipo`} pending={pending} when={when} decides />
      </>
    )}
    <details open={refused !== undefined}>
      <summary>Invitar a alguien</summary>
      <InviteMember
        at={`${appHref(app)}/equipo`}
        given={{ email: refused?.given.Email, rol: refused?.given.Rol }}
        errors={refused?.errors}
      />
    </details>
  </Section>
)
