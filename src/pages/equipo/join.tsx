import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account, MemberRol } from '../../accounts/account.ts'
import { audit } from '../../accounts/audit.ts'
import { readLink, useLink } from '../../accounts/links.ts'
import { lockTeam, setMember } from '../../accounts/members.ts'
import { hashPassword, passwordFault } from '../../accounts/password.ts'
import { createAccount, findAccountById } from '../../accounts/store.ts'
import type { App } from '../../apps/app.ts'
import { findAppById } from '../../apps/store.ts'
import type { Errors } from '../../http/problems.ts'
import type { Db, Store } from '../../store/db.ts'
import { formOf, linesOf, secret } from '../form.ts'
import { DeadLinkPage, NEWCOMER_FORM, showFaults, showInvitation } from '../invited.tsx'
import { HIDDEN, page } from '../page.ts'
import { type ByToken, type PageDeps, redirectWithNotice, seeOther } from '../signed-in.ts'

/** /equipo/{token}: a person accepts an invitation to an app's team. */
export function joinRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { store, sessions } = deps

  async function show(reply: FastifyReply, token: string, signedIn: Account | undefined): Promise<FastifyReply> {
    const read = await readInvitation(store, token)
    if (read.kind !== 'open')
      return page(reply, <DeadLinkPage ways={DEAD_LINK_WAYS} />, read.kind === 'unknown' ? 404 : 410)
    return showInvitation(reply, invitedTo(token, read), signedIn)
  }

  app.get<ByToken>('/equipo/:token', HIDDEN, async (request, reply) =>
    show(reply, request.params.token, await sessions.signedIn(request)),
  )

  app.post<ByToken>('/equipo/:token', NEWCOMER_FORM, async (request, reply) => {
    const { token } = request.params
    const signedIn = await sessions.signedIn(request)
    const form = formOf(request)
    const values = linesOf(form, ['Nombre', 'Apellido'])
    const result = await joinTeam(store, token, { ...values, Clave: secret(form) }, signedIn)
    if (result.kind === 'joined') {
      if (signedIn?.id !== result.account.id) sessions.open(reply, result.account)
      return redirectWithNotice(reply, 'equipo-sumado', `/portal/${result.app.appKey}`)
    }
    if (result.kind === 'sign-in') return seeOther(reply, `/equipo/${token}`)
    const read = await readInvitation(store, token)
    if (result.kind === 'invalid' && read.kind === 'open')
      return showFaults(reply, invitedTo(token, read), values, result.errors)
    return show(reply, token, signedIn)
  })
}

type Open = Extract<ReadInvitation, { kind: 'open' }>

/** The texts of an invitation to an app's team, by role. */
const invitedTo = (token: string, { app, rol, account }: Open) => ({
  invitee: account,
  invited: {
    title: `Sumarse al equipo de ${app.nombre}`,
    meaning:
      rol === 'titular'
        ? `Como titular decide sobre las claves y el equipo de ${app.nombre}, y ve sus webhooks, entregas y eventos.`
        : `Como desarrollador ve los webhooks, las entregas y los eventos de ${app.nombre}, y prueba la API.`,
    path: `/equipo/${token}`,
  },
})

const DEAD_LINK_WAYS = [
  'Si ya aceptó la invitación, entre con su correo y su clave.',
  'Si no, pida a quien es titular de la app que le invite otra vez.',
]

/** The invited account, the app and the role. */
type ReadInvitation =
  | { kind: 'open'; account: Account; app: App; rol: MemberRol }
  | { kind: 'used' | 'expired' | 'unknown' }

/** What a new person fills in. */
type Newcomer = Record<'Nombre' | 'Apellido' | 'Clave', string>

type JoinedTeam =
  | { kind: 'joined'; account: Account; app: App }
  | { kind: 'invalid'; errors: Errors }
  | { kind: 'used' | 'expired' | 'unknown' | 'sign-in' }

const NAME_CHARACTERS = 50

/** Reads a link without using it up. */
async function readInvitation(db: Db, token: string): Promise<ReadInvitation> {
  const link = await readLink(db, token, 'equipo')
  if (!link) return { kind: 'unknown' }
  if (link.state !== 'open') return { kind: link.state }
  const account = await findAccountById(db, link.accountId)
  const app = link.appId === null ? undefined : await findAppById(db, link.appId)
  return account && app && link.rol ? { kind: 'open', account, app, rol: link.rol } : { kind: 'unknown' }
}

/** Joins the team, once. People with a password must be signed in; others choose one here. */
async function joinTeam(
  store: Store,
  token: string,
  newcomer: Newcomer,
  signedIn: Account | undefined,
): Promise<JoinedTeam> {
  const read = await readInvitation(store, token)
  if (read.kind !== 'open') return read
  const { account: invitee, app } = read
  if (invitee.hasPassword && signedIn?.id !== invitee.id) return { kind: 'sign-in' }
  const errors = invitee.hasPassword ? {} : faults(newcomer, invitee.email)
  if (Object.keys(errors).length > 0) return { kind: 'invalid', errors }
  const passwordHash = invitee.hasPassword ? undefined : await hashPassword(newcomer.Clave)

  return store
    .transaction(async (tx): Promise<JoinedTeam> => {
      await lockTeam(tx, app.id)
      const link = await useLink(tx, token, 'equipo')
      if (!link?.rol) return { kind: 'used' }
      const { Nombre: nombre, Apellido: apellido } = newcomer
      const made = { modo: 'produccion', email: invitee.email, nombre, apellido } as const
      const account = passwordHash === undefined ? invitee : await createAccount(tx, { ...made, passwordHash })
      if (!account) throw new MustSignIn()
      await setMember(tx, app.id, account.id, link.rol)
      await audit(tx, { accountId: account.id, via: 'portal', act: 'equipo.sumarse', subject: app.appKey })
      return { kind: 'joined', account: { ...account, develops: true }, app }
    })
    .catch((error) => {
      if (error instanceof MustSignIn) return { kind: 'sign-in' }
      throw error
    })
}

/** Rolls the transaction back, so that the link stays usable: the person chose a password meanwhile and signs in. */
class MustSignIn extends Error {}

function faults({ Nombre, Apellido, Clave }: Newcomer, email: string): Errors {
  const weakness = passwordFault(Clave, email)
  const named = Object.entries({ Nombre, Apellido }).flatMap(([name, value]): [string, string[]][] => {
    if (!value) return [[name, ['Falta este dato.']]]
    return [...value].length > NAME_CHARACTERS ? [[name, [`Puede tener hasta ${NAME_CHARACTERS} caracteres.`]]] : []
  })
  return { ...Object.fromEntries(named), ...(weakness && { Clave: [weakness] }) }
}
