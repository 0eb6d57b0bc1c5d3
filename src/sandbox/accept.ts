import { randomInt } from 'node:crypto'
import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import { findAppById } from '../apps/store.ts'
import { TEST_DOMAIN } from '../mail/email.ts'
import type { Invitacion } from '../resources/agencias/agencia.ts'
import { associate, INVITER } from '../resources/agencias/associations.ts'
import { lockAddress, markAccepted } from '../resources/agencias/invitation.ts'
import { findAgenciaByMail } from '../resources/agencias/read.ts'
import type { Db } from '../store/db.ts'
import { depsOf, makeAgency, type SandboxDeps } from './agency.ts'
import { chanceOf } from './fiction/chance.ts'

const AT_ONCE = 20

/**
 * Accepts the invitations of test mode to reserved domains: each creates an agency. An address that begins
 * with `rebota` bounces, and one that begins with `ignora` is never answered, so that a partner can see those too.
 * One that fails does not hold up the others; its error is thrown at the end.
 */
export async function answerInvitations(deps: SandboxDeps): Promise<number> {
  const waiting = await deps.store.query<{ id: number }>(sql`
    select i.id from invitaciones i join apps a on a.id = i.app_id and a.disabled_at is null
    where i.modo = 'prueba' and i.estado = 'pendiente' and i.admin_mail like ${`%@${TEST_DOMAIN}`}
      and i.admin_mail not like 'ignora%' and i.vence > now()
    order by i.enviada desc limit ${AT_ONCE}`) // newest first, so that rows that always fail do not hold up new ones
  const faults: unknown[] = []
  for (const { id } of waiting)
    await deps.store.transaction((tx) => answer(tx, deps, id)).catch((fault) => faults.push(fault))
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} invitations were not answered.`)
  return waiting.length
}

async function answer(tx: Db, deps: SandboxDeps, id: number): Promise<void> {
  const [invitacion] = await tx.query<Answered>(sql`
    select app_id as "appId", admin_mail as "adminMail", nombre, telefono, region_id as "regionId", region,
           ciudad_id as "ciudadId", ciudad, direccion
    from invitaciones where id = ${id} and estado = 'pendiente' for update skip locked`)
  if (!invitacion) return // another worker has it
  const { appId, adminMail, ...invited } = invitacion
  const app = await findAppById(tx, appId)
  if (!app) return
  if (adminMail.startsWith('rebota')) {
    await tx.query(sql`update invitaciones set estado = 'rebotada', ended_at = now() where id = ${id}`)
    return
  }
  await lockAddress(tx, app.modo, adminMail)
  const agenciaId = (await associated(tx, deps, app, adminMail)) ?? (await founded(tx, deps, app, adminMail, invited))
  if (agenciaId !== undefined) await markAccepted(tx, id, agenciaId)
}

/** If another app's invitation came first, its agency is associated with this app too (decisions, 6). */
async function associated(tx: Db, deps: SandboxDeps, app: App, adminMail: string): Promise<number | undefined> {
  const agencia = await findAgenciaByMail(tx, app.modo, adminMail)
  if (agencia) await associate(tx, depsOf(deps), app, agencia, INVITER, 'widen')
  return agencia?.id
}

async function founded(
  tx: Db,
  deps: SandboxDeps,
  app: App,
  email: string,
  { nombre, telefono, direccion, ...place }: Omit<Answered, 'appId' | 'adminMail'>,
): Promise<number | undefined> {
  const said = Object.entries({ nombre, telefono, direccion, ...(place.ciudad && place) })
  const known = Object.fromEntries(said.filter(([, value]) => value !== null))
  return (await makeAgency(tx, deps, app, { email, known, chance: chanceOf(randomInt(2 ** 32)) }))?.id
}

type Answered = Pick<
  Invitacion,
  'appId' | 'adminMail' | 'nombre' | 'telefono' | 'regionId' | 'region' | 'ciudadId' | 'ciudad' | 'direccion'
>
