import sql from 'sql-template-tag'
import { newToken, tokenHash } from '../../accounts/links.ts'
import type { App } from '../../apps/app.ts'
import { wallClock } from '../../http/dates.ts'
import { conflict, fault, invalid } from '../../http/problems.ts'
import { dateFormat } from '../../i18n/format.ts'
import { message } from '../../i18n/messages.tsx'
import { invitacionEmail } from '../../mail/compose.ts'
import { enqueueEmailTo, withdrawEmails } from '../../mail/email.ts'
import { isTelephone } from '../../phone.ts'
import type { Db, Joining } from '../../store/db.ts'
import { lineOrNull } from '../../text.ts'
import type { Place } from './agencia.ts'
import type { AgenciasDeps } from './context.ts'
import {
  blockToken,
  isBlocked,
  isRegistered,
  lockAddress,
  refuseInviteLimit,
  refuseMailLimit,
} from './invitacion-store.ts'
import { requirePlace } from './place.ts'
import type { AgenciaCreate } from './schema.ts'

const INVITACION_DAYS = 14 // docs/decisions/agencies.md

/** Invites the future administrator of an agency by email. Inviting again makes the old link invalid. */
export async function invite(deps: Joining<AgenciasDeps>, app: App, body: AgenciaCreate): Promise<string> {
  const adminMail = body.AdminMail.toLowerCase()
  if (body.Telefono && !isTelephone(body.Telefono))
    throw invalid({ Telefono: [fault('formato', 'Debe ser un número de teléfono.')] })
  const place = requirePlace(deps.matcher, body)

  await deps.store.transaction(async (tx) => {
    await lockAddress(tx, app.modo, adminMail)
    if (await isRegistered(tx, app.modo, adminMail)) throw registered(deps.config, app)
    if (await isBlocked(tx, adminMail)) throw invalid({ AdminMail: [BLOCKED] })
    await refuseMailLimit(tx, app.modo, adminMail)
    await refuseInviteLimit(tx, app, app.limits.invitesPerDay ?? deps.config.invitesPerDay)
    await send(tx, deps, app, { ...body, AdminMail: adminMail }, place)
  })
  return adminMail
}

const BLOCKED = fault('direccion-bloqueada', 'Quien usa este correo pidió no recibir más invitaciones.')

const DAY = dateFormat({ dateStyle: 'long' })

async function send(tx: Db, deps: Joining<AgenciasDeps>, app: App, body: AgenciaCreate, place: Place): Promise<void> {
  const { seal, config } = deps
  const token = newToken()
  const to = body.AdminMail
  const mensaje = body.Mensaje?.trim() || null
  const { id, vence } = await upsert(tx, app, tokenHash(token), { ...body, Mensaje: mensaje }, place)
  await withdrawEmails(tx, id) // an unsent email of a renewed invitation has an invalid link
  await enqueueEmailTo(tx, seal, to, () =>
    invitacionEmail({
      to,
      invitacionId: id,
      invita: app.nombre,
      nombre: lineOrNull(body.Nombre),
      adminNombre: lineOrNull(body.AdminNombre),
      mensaje,
      prueba: app.modo === 'prueba',
      registroUrl: `${config.publicUrl}/registro/${token}`,
      bajaUrl: `${config.publicUrl}/baja/${blockToken(seal, to)}`,
      vence: DAY().format(wallClock(vence, config.timeZone)),
      brand: config.brand.current(),
    }),
  )
}

async function upsert(tx: Db, app: App, hash: Buffer, body: AgenciaCreate, place: Place) {
  const [row] = await tx.query<{ id: number; vence: Date }>(sql`
    insert into invitaciones as i (app_id, modo, admin_mail, token_hash, nombre, admin_nombre, admin_apellido, telefono,
                                   region_id, region, ciudad_id, ciudad, direccion, mensaje, vence)
    values (${app.id}, ${app.modo}, ${body.AdminMail}, ${hash}, ${lineOrNull(body.Nombre)}, ${lineOrNull(body.AdminNombre)},
            ${lineOrNull(body.AdminApellido)}, ${lineOrNull(body.Telefono)}, ${place.regionId}, ${place.region}, ${place.ciudadId},
            ${place.ciudad}, ${lineOrNull(body.Direccion)}, ${body.Mensaje ?? null},
            now() + make_interval(days => ${INVITACION_DAYS}))
    on conflict (app_id, admin_mail) where estado in ('pendiente', 'rebotada') do update
      set token_hash = excluded.token_hash, estado = 'pendiente', ended_at = null, nombre = excluded.nombre,
          admin_nombre = excluded.admin_nombre, admin_apellido = excluded.admin_apellido, telefono = excluded.telefono,
          region_id = excluded.region_id, region = excluded.region, ciudad_id = excluded.ciudad_id,
          ciudad = excluded.ciudad, direccion = excluded.direccion, mensaje = excluded.mensaje,
          enviada = now(), vence = excluded.vence
    returning i.id, i.vence`)
  if (!row) throw new Error('The invitation was not stored.')
  return row
}

/** 409 (spec, "Errors"): a registered person connects the app, or asks customer service. */
function registered(config: AgenciasDeps['config'], app: App) {
  const { url, mail } = config.brand.current().support
  const contact = [url, mail].filter(Boolean).join(', ')
  return conflict(
    { AdminMail: [fault('ya-registrada', 'Ya está registrada.')] },
    contact ? message('problema.registeredContact', { contact }) : message('problema.registered'),
    { Conectar: `${config.publicUrl}/conectar/${app.appKey}` },
  )
}
