import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { forbidden } from '../../http/problems.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { agenciaOfAccount } from '../../resources/agencias/store.ts'
import { type People, whoever } from '../people.ts'

/** Who decides for an agency, and the agency. Others who work there get 403; whoever is not signed in is led there. */
export async function administers(
  people: People,
  request: FastifyRequest,
  reply: FastifyReply,
  volver = '/cuenta',
): Promise<{ account: Account; agencia: Agencia } | undefined> {
  const account = await whoever(people, request, reply, volver)
  if (!account) return undefined
  const agencia = await agenciaOfAccount(people.store, account)
  if (agencia?.rol === 'administrador') return { account, agencia }
  throw forbidden(
    agencia
      ? `Eso lo decide quien administra ${agencia.nombre}: ${agencia.adminMail}.`
      : 'Su cuenta no administra ninguna agencia.',
  )
}
