import { randomInt } from 'node:crypto'
import sql from 'sql-template-tag'
import { findAppById } from '../apps/store.ts'
import { NOWHERE } from '../mail/nowhere.ts'
import type { Invitacion } from '../resources/agencias/agencia.ts'
import { accepted } from '../resources/agencias/register.ts'
import type { Db } from '../store/db.ts'
import { makeAgency, type SandboxNeeds } from './agency.ts'
import { chanceOf } from './fiction/chance.ts'

const AT_ONCE = 20

/**
 * Answers the invitations of test mode that went to nobody's domain: an agency comes of each. An address that begins
 * with `rebota` bounces, and one that begins with `ignora` is never answered, so that a partner can see those too.
 */
export async function answerInvitations(needs: SandboxNeeds): Promise<number> {
  const waiting = await needs.store.query<{ id: number }>(sql`
    select id from invitaciones
    where modo = 'prueba' and estado = 'pendiente' and admin_mail like ${`%@${NOWHERE}`}
      and admin_mail not like 'ignora%' and vence > now()
    order by id limit ${AT_ONCE}`)
  for (const { id } of waiting) await needs.store.transaction((tx) => answer(tx, needs, id))
  return waiting.length
}

async function answer(tx: Db, needs: SandboxNeeds, id: number): Promise<void> {
  const [invitacion] = await tx.query<Answered>(sql`
    select app_id as "appId", admin_mail as "adminMail", nombre, telefono, region_id as "regionId", region,
           ciudad_id as "ciudadId", ciudad, direccion
    from invitaciones where id = ${id} and estado = 'pendiente' for update skip locked`)
  if (!invitacion) return // another worker has it
  const { appId, adminMail: email, ...told } = invitacion
  const app = await findAppById(tx, appId)
  if (!app || app.disabled) return
  if (email.startsWith('rebota')) {
    await tx.query(sql`update invitaciones set estado = 'rebotada', ended_at = now() where id = ${id}`)
    return
  }
  const known = told.ciudad ? told : { nombre: told.nombre, telefono: told.telefono, direccion: told.direccion }
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))
  const agencia = await makeAgency(tx, needs, app, { email, known: given, chance: chanceOf(randomInt(2 ** 32)) })
  if (agencia) await accepted(tx, id, agencia.id)
}

type Answered = Pick<
  Invitacion,
  'appId' | 'adminMail' | 'nombre' | 'telefono' | 'regionId' | 'region' | 'ciudadId' | 'ciudad' | 'direccion'
>
