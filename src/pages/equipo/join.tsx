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
    const read = await readInvitation(store, token)
    if (read.kind !== 'open') return show(reply, token, signedIn)
    const { account: invitee, app: invitedApp } = read
    let newcomer: Newcomer | undefined
    if (!invitee.hasPassword) {
      const form = formOf(request)
      const [values, password] = [linesOf(form, ['Nombre', 'Apellido']), secret(form)]
      const errors = faults(values, password, invitee.email)
      if (Object.keys(errors).length > 0) return showFaults(reply, invitedTo(token, read), values, errors)
      newcomer = { nombre: values.Nombre, apellido: values.Apellido, passwordHash: await hashPassword(password) }
    } else if (signedIn?.id !== invitee.id) return seeOther(reply, `/equipo/${token}`)

    const account = await joinTeam(store, token, read, newcomer)
    if (account === 'used') return show(reply, token, signedIn)
    if (account === 'sign-in') return seeOther(reply, `/equipo/${token}`)
    if (signedIn?.id !== account.id) sessions.open(reply, account)
    return redirectWithNotice(reply, 'equipo-sumado', `/portal/${invitedApp.appKey}`)
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

/** What a new person chose. */
interface Newcomer {
  nombre: string
  apellido: string
  passwordHash: string
}

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

type JoinedTeam = Account | 'used' | 'sign-in'

/** Joins the team, once. `sign-in`: a new person has chosen a password meanwhile. */
async function joinTeam(
  store: Store,
  token: string,
  { account: invitee, app }: Open,
  newcomer: Newcomer | undefined,
): Promise<JoinedTeam> {
  return store
    .transaction(async (tx): Promise<JoinedTeam> => {
      await lockTeam(tx, app.id)
      const link = await useLink(tx, token, 'equipo')
      if (!link?.rol) return 'used'
      const { email } = invitee
      const account = newcomer ? await createAccount(tx, { modo: 'produccion', email, ...newcomer }) : invitee
      if (!account) throw new MustSignIn()
      await setMember(tx, app.id, account.id, link.rol)
      await audit(tx, { accountId: account.id, via: 'portal', act: 'equipo.sumarse', subject: app.appKey })
      return { ...account, develops: true }
    })
    .catch((error) => {
      if (error instanceof MustSignIn) return 'sign-in'
      throw error
    })
}

/** Rolls the transaction back, so that the link stays usable. */
class MustSignIn extends Error {}

function faults(names: Record<string, string>, password: string, email: string): Errors {
  const weakness = passwordFault(password, email)
  const named = Object.entries(names).flatMap(([name, value]): [string, string[]][] => {
    if (!value) return [[name, ['Falta este dato.']]]
    return [...value].length > NAME_CHARACTERS ? [[name, [`Puede tener hasta ${NAME_CHARACTERS} caracteres.`]]] : []
  })
  return { ...Object.fromEntries(named), ...(weakness && { Clave: [weakness] }) }
}
