import type { FastifyReply } from 'fastify'
import { fullName, MAIL_CHARACTERS, type MemberRol } from '../../../accounts/account.ts'
import {
  type AppMember,
  cancelInvite,
  isLastTitular,
  leaveTeam,
  listMembers,
  lockTeam,
  pendingMembers,
  setMember,
} from '../../../accounts/members.ts'
import { conflict, forbidden, notFound } from '../../../http/problems.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import type { Db } from '../../../store/db.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { InviteMember, inviteToTeam, PendingMembers, rolIn, rolLabel } from '../../equipo/routes.tsx'
import { DangerLink } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, provenForm } from '../../form.ts'
import type { Refused } from '../../form-fields.tsx'
import { Moment } from '../../format.tsx'
import { page } from '../../page.ts'
import { idIn, requireFound } from '../../params.ts'
import { PostButton, Section } from '../../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { PORTAL, type PortalContext, PortalPage, type PortalPagesByRole } from '../context.tsx'

const noSuch = () => notFound(t('portal.team.noSuch'))
const lastTitular = () => conflict({}, t('portal.team.last'))

/** /portal/{AppKey}/equipo: the app's team, which its titulares manage. */
export function teamRoutes({ desarrollador, titular }: PortalPagesByRole, deps: PageDeps): void {
  const { store } = deps

  async function show(reply: FastifyReply, ctx: PortalContext, refused?: Refused): Promise<FastifyReply> {
    return page(reply, await teamPage(deps, ctx, refused), refused ? 400 : 200)
  }

  desarrollador.get('/equipo', ({ ctx }, reply) => show(reply, ctx))

  titular.post('/equipo', provenForm(formRoute(MAIL_CHARACTERS)), async ({ ctx, form }, reply) => {
    const refused = await inviteToTeam(ctx, deps, form, { app: ctx.app, by: ctx.account, act: 'equipo.invitar' })
    if (refused) return show(reply, ctx, refused)
    return redirectWithNotice(reply, 'equipo-invitado', `${ctx.basePath}/equipo`)
  })

  titular.post<ById>('/equipo/:id/retirar', provenForm(CONFIRMATION_FORM), async ({ ctx, params }, reply) => {
    const id = idIn(params.id)
    await ctx.change({ act: 'equipo.retirar-invitacion', subject: ctx.app.appKey }, async (tx) => {
      if (!(await cancelInvite(tx, ctx.app.id, id))) throw notFound(t('portal.team.notInvited'))
    })
    return redirectWithNotice(reply, 'equipo-retirada', `${ctx.basePath}/equipo`)
  })

  /** A member of the team, else 404. */
  async function memberAt(db: Db, ctx: PortalContext, id: string): Promise<AppMember> {
    const member = (await listMembers(db, ctx.app.id)).find((each) => String(each.id) === id)
    return requireFound(member, t('portal.team.noSuch'))
  }

  titular.post<ById>('/equipo/:id/rol', provenForm(CONFIRMATION_FORM), async ({ ctx, params, form }, reply) => {
    const rol = rolIn(form)
    if (!rol) throw notFound(t('portal.team.noSuchRol'))
    const { id } = await memberAt(store, ctx, params.id)
    await ctx.change({ act: 'equipo.rol', subject: ctx.app.appKey, detail: { cuenta: id, rol } }, async (tx) => {
      await lockTeam(tx, ctx.app.id)
      await memberAt(tx, ctx, String(id))
      if (rol !== 'titular' && (await isLastTitular(tx, ctx.app.id, id))) throw lastTitular()
      await setMember(tx, ctx.app.id, id, rol)
    })
    return redirectWithNotice(reply, 'equipo-rol', `${ctx.basePath}/equipo`)
  })

  serveConfirmation(desarrollador, '/equipo/:id/quitar', {
    audience: PORTAL,
    section: '/equipo',
    async load(params: { id: string }, ctx) {
      const member = await memberAt(store, ctx, params.id)
      const isSelf = member.id === ctx.account.id
      if (ctx.rol !== 'titular' && !isSelf) throw forbidden(t('portal.team.onlyTitular'))
      return { ...member, isSelf }
    },
    parentLink: (_, ctx) => ({ href: `${ctx.basePath}/equipo`, label: t('portal.nav.team') }),
    question: (member, { app: { nombre } }) =>
      member.isSelf
        ? {
            title: t('portal.team.leave.title'),
            button: t('portal.team.leave.button'),
            consequences: [t('portal.team.leave.text', { app: nombre })],
          }
        : {
            title: t('portal.team.remove.title', { person: fullName(member) }),
            button: t('portal.team.remove.button'),
            consequences: [t('portal.team.remove.text', { app: nombre }), t('portal.team.remove.secret')],
          },
    act: ({ id }, ctx) =>
      ctx.change({ act: 'equipo.quitar', subject: ctx.app.appKey, detail: { cuenta: id } }, async (tx) => {
        const outcome = await leaveTeam(tx, ctx.app.id, id)
        if (outcome === 'gone') throw noSuch()
        if (outcome === 'last') throw lastTitular()
      }),
    form: provenForm(CONFIRMATION_FORM),
    notice: ({ isSelf }) => (isSelf ? 'equipo-dejado' : 'equipo-quitado'),
    next: ({ isSelf }, ctx) => (isSelf ? '/portal' : `${ctx.basePath}/equipo`),
  })
}

async function teamPage({ store }: PageDeps, ctx: PortalContext, refused: Refused | undefined) {
  const members = await listMembers(store, ctx.app.id)
  const pending = await pendingMembers(store, ctx.app.id)
  const decides = ctx.rol === 'titular'
  const titulares = members.filter(({ rol }) => rol === 'titular')
  const onlyTitular = titulares.length === 1 ? titulares[0] : undefined
  return (
    <PortalPage ctx={ctx} title={t('portal.nav.team')} intro={t('portal.team.intro')}>
      <Section title={t('portal.team.people')}>
        <ul class="rows">
          {members.map((member) => (
            <li key={member.id}>
              <span>
                <strong>{fullName(member)}</strong>
                {member.id === ctx.account.id && ` ${t('portal.team.you')}`}
                <span class="hint">
                  {rich('portal.team.since', {
                    email: member.email,
                    moment: <Moment at={member.since} when={ctx} />,
                  })}
                </span>
              </span>
              <span class="badge">{rolLabel(member.rol)}</span>
              {member.id === onlyTitular?.id ? (
                <span class="hint">{t('portal.team.onlyOne')}</span>
              ) : (
                <MemberActs ctx={ctx} member={member} />
              )}
            </li>
          ))}
        </ul>
      </Section>
      {pending.length > 0 && (
        <Section title={t('portal.team.pending')}>
          <PendingMembers at={`${ctx.basePath}/equipo`} pending={pending} when={ctx} decides={decides} />
        </Section>
      )}
      {decides ? (
        <Section title={t('portal.team.invite')}>
          <InviteMember at={`${ctx.basePath}/equipo`} given={{ Rol: 'desarrollador' }} {...refused} />
        </Section>
      ) : (
        <p class="empty">{t('portal.team.inviteVia')}</p>
      )}
    </PortalPage>
  )
}

/** A titular changes roles and removes members; anyone may leave. */
function MemberActs({ ctx, member }: { ctx: PortalContext; member: AppMember }) {
  const isOneself = member.id === ctx.account.id
  const other: MemberRol = member.rol === 'titular' ? 'desarrollador' : 'titular'
  const at = `${ctx.basePath}/equipo/${member.id}`
  return (
    <span class="row">
      {ctx.rol === 'titular' && (
        <PostButton action={`${at}/rol`} class="secondary small" hidden={{ Rol: other }}>
          {rich(`portal.team.make.${other}`, { person: fullName(member) })}
        </PostButton>
      )}
      {isOneself ? (
        <DangerLink href={`${at}/quitar`} label={t('portal.team.leave')} to="" />
      ) : (
        ctx.rol === 'titular' && (
          <DangerLink
            href={`${at}/quitar`}
            label={t('portal.team.remove')}
            to={t('portal.team.removeWhom', { person: fullName(member) })}
          />
        )
      )}
    </span>
  )
}
