import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { agenciasOfAccount, asociacionesOf, pendingOperadores } from '../../resources/agencias/store.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import { page } from '../page.ts'
import { HIDDEN, justDone, type People, whoever } from '../people.ts'
import { type AccountProps, accountPage } from './page.tsx'

/** GET /cuenta */
export function accountRoutes(app: FastifyInstance, people: People): void {
  app.get('/cuenta', HIDDEN, async (request, reply) => {
    const account = await whoever(people, request, reply, '/cuenta')
    return account ? showAccount(people, reply, account, { notice: justDone(request, reply) }) : reply
  })
}

/** The page itself, also where a form on it was wrong. */
export async function showAccount(
  { store, config }: People,
  reply: FastifyReply,
  account: Account,
  more: Pick<AccountProps, 'notice' | 'invited'>,
  status = 200,
): Promise<FastifyReply> {
  const agencias = await agenciasOfAccount(store, account)
  const workplaces = await Promise.all(
    agencias.map(async (agencia) => ({
      agencia,
      asociaciones: await asociacionesOf(store, agencia.id),
      pending: agencia.rol === 'administrador' ? await pendingOperadores(store, agencia.id) : [],
    })),
  )
  const { timeZone } = config
  return page(reply, accountPage({ account, workplaces, timeZone, support: supportOf(config), ...more }), status)
}
