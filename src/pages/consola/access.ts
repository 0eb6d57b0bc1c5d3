import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { notFound } from '../../http/problems.ts'
import { type PageDeps, requireSignedIn } from '../signed-in.ts'

/**
 * One of the staff, who has shown the second factor: before that nobody of them is signed in. To anyone else the console
 * does not exist; to nobody in particular, it asks to sign in.
 */
export async function staffAt(
  deps: PageDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Account | undefined> {
  const here = (request.url.split('?')[0] as string) || '/consola'
  const account = await requireSignedIn(deps, request, reply, request.method === 'GET' ? here : '/consola')
  if (account && !account.staff) throw notFound()
  return account
}
