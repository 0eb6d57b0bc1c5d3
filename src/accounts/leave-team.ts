import type { Db } from '../store/db.ts'
import { endLinks } from './links.ts'
import { isLastTitular, lockTeam, pendingMembers, removeMember } from './members.ts'

/** `last`: the only titular, without whom nobody would decide about the app. `gone`: not of the team. */
export type LeftTeam = 'left' | 'last' | 'gone'

/** Somebody works no more on an app, whoever decided it: their links to it end too, so that none leads back in. */
export async function leaveTeam(tx: Db, appId: number, accountId: number): Promise<LeftTeam> {
  await lockTeam(tx, appId)
  if (await isLastTitular(tx, appId, accountId)) return 'last'
  if (!(await removeMember(tx, appId, accountId))) return 'gone'
  await endLinks(tx, { accountId, purpose: 'equipo', appId })
  return 'left'
}

/** Withdraws what somebody was asked. False: nobody like that is waiting for an answer. */
export async function withdrawMember(tx: Db, appId: number, accountId: number): Promise<boolean> {
  await lockTeam(tx, appId)
  if (!(await pendingMembers(tx, appId)).some((asked) => asked.accountId === accountId)) return false
  await endLinks(tx, { accountId, purpose: 'equipo', appId })
  return true
}
