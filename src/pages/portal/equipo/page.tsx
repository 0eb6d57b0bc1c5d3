import { fullName } from '../../../accounts/account.ts'
import type { Member, MemberRol, PendingMember } from '../../../accounts/members.ts'
import type { Errors } from '../../../http/problems.ts'
import { Moment } from '../../format.tsx'
import { InviteMember, PendingMembers, ROLES } from '../../team.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'

interface Props {
  ctx: PortalContext
  members: Member[]
  pending: PendingMember[]
  /** The values of a refused form. */
  given?: { email: string; rol: string }
  errors?: Errors
}

export function teamPage({ ctx, members, pending, given, errors }: Props) {
  const decides = ctx.rol === 'titular'
  const titulares = members.filter(({ rol }) => rol === 'titular')
  const only = titulares.length === 1 ? titulares[0] : undefined
  return (
    <PortalPage
      ctx={ctx}
      section="/equipo"
      title="Equipo"
      faulty={errors !== undefined}
      lead={<p>Quienes ven la app en el portal. Cada uno entra con su propia cuenta.</p>}
    >
      <section>
        <h2>Personas</h2>
        <ul class="rows">
          {members.map((member) => (
            <li key={member.id}>
              <span>
                <strong>{fullName(member)}</strong>
                {member.id === ctx.account.id && ' (usted)'}
                <span class="hint">
                  {member.email} · desde <Moment at={member.since} when={ctx} />
                </span>
              </span>
              <span class="badge">{ROLES[member.rol]}</span>
              {member.id === only?.id ? (
                <span class="hint">Es la única persona titular</span>
              ) : (
                <MemberActs ctx={ctx} member={member} />
              )}
            </li>
          ))}
        </ul>
      </section>
      {pending.length > 0 && (
        <section>
          <h2>Invitaciones sin aceptar</h2>
          <PendingMembers at={`${ctx.basePath}/equipo`} pending={pending} when={ctx} decides={decides} />
        </section>
      )}
      {decides ? (
        <section>
          <h2>Invitar a alguien</h2>
          <InviteMember
            at={`${ctx.basePath}/equipo`}
            given={{ email: given?.email, rol: given?.rol ?? 'desarrollador' }}
            errors={errors}
          />
        </section>
      ) : (
        <p class="empty">Para invitar a alguien, pídalo a un titular.</p>
      )}
    </PortalPage>
  )
}

/** A titular changes roles and removes members; anyone may leave. */
function MemberActs({ ctx, member }: { ctx: PortalContext; member: Member }) {
  const isOneself = member.id === ctx.account.id
  const other: MemberRol = member.rol === 'titular' ? 'desarrollador' : 'titular'
  const at = `${ctx.basePath}/equipo/${member.id}`
  return (
    <span class="row">
      {ctx.rol === 'titular' && (
        <form method="post" action={`${at}/rol`}>
          <input type="hidden" name="Rol" value={other} />
          <button type="submit" class="secondary small">
            Hacer {ROLES[other].toLowerCase()}
            <span class="visually-hidden"> a {fullName(member)}</span>
          </button>
        </form>
      )}
      {(ctx.rol === 'titular' || isOneself) && (
        <a class="danger" href={`${at}/quitar`}>
          {isOneself ? 'Dejar el equipo' : 'Quitar'}
          {!isOneself && <span class="visually-hidden"> a {fullName(member)}</span>}
        </a>
      )}
    </span>
  )
}
