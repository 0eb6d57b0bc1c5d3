import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { withQuery } from '../../http/links.ts'
import { notFound } from '../../http/problems.ts'
import { type People, seeOther, whoever } from '../people.ts'

/**
 * One of the staff who has shown the second factor. To anyone else the console does not exist; to nobody in particular,
 * it asks to sign in.
 */
export async function staffAt(
  people: People,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Account | undefined> {
  const volver = (request.url.split('?')[0] as string) || '/consola'
  const account = await whoever(people, request, reply, request.method === 'GET' ? volver : '/consola')
  if (!account) return undefined
  if (!account.staff) throw notFound()
  if (people.sessions.isStrong(request)) return account
  seeOther(reply, withQuery('/entrar/codigo', { volver: request.method === 'GET' ? volver : '/consola' }))
  return undefined
}
