import sql, { empty } from 'sql-template-tag'
import { type Account, fullName } from '../../accounts/account.ts'
import { assignedEmail } from '../../mail/compose.ts'
import { enqueueEmailTo } from '../../mail/email.ts'
import type { Db } from '../../store/db.ts'
import { insertEvents } from '../../webhooks/events.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { CONSULTA_SELECT, type Consulta } from './consulta.ts'
import { moveCounts } from './counts.ts'
import type { ConsultasDeps } from './deps.ts'
import { consultaEvents } from './events.ts'
import { recordHistory } from './history.ts'
import { endRemindersOfOthers } from './reminders.ts'
import { lockAppsThatSee, type Scope } from './scope.ts'

interface Assignment {
  agencia: Pick<Agencia, 'id' | 'adminMail' | 'nombre'>
  /** What the caller sees, and so may give away. */
  scope: Scope
  sids: readonly string[]
  /** Somebody who works at the agency. */
  operador: string
  by: Account
}

/** Gives inquiries to somebody of the agency, and notifies them and the apps that see them. Returns those that changed. */
export async function assignConsultas(
  { store, seal, clock, config }: ConsultasDeps,
  { agencia, scope, sids, operador, by }: Assignment,
): Promise<Consulta[]> {
  const { timeZone, country } = config
  return store.transaction(async (tx) => {
    const before = await lockThose(tx, scope, sids, operador)
    if (before.length === 0) return []
    await tx.query(sql`
      update consultas set operador = ${operador} where sid = any (${before.map(({ sid }) => sid)}::text[])`)
    await moveCounts(tx, before, operador, timeZone)
    const changedSids = before.map(({ sid }) => sid)
    await recordHistory(tx, changedSids, { kind: 'operador', detail: operador, by: { accountId: by.id } })
    await endRemindersOfOthers(tx, changedSids, operador)
    const changed = before.map((consulta) => ({ ...consulta, operador }))
    const options = { topic: 'consulta.modificada', moment: clock(), timeZone, country } as const
    for (const fuente of new Set(changed.map((each) => each.fuente))) {
      const apps = await lockAppsThatSee(tx, { agenciaId: agencia.id, fuente })
      const theirs = changed.filter((each) => each.fuente === fuente)
      const events = theirs.flatMap((consulta) => consultaEvents(apps, consulta, agencia, options))
      if (events.length > 0) await insertEvents(tx, events)
    }
    if (operador !== by.email) {
      const url = `${config.publicUrl}/cuenta/consultas${changedSids.length === 1 ? `/${changedSids[0]}` : ''}`
      const about = { to: operador, agencia: agencia.nombre, porQuien: fullName(by), cantidad: changedSids.length, url }
      await enqueueEmailTo(tx, seal, operador, () => assignedEmail({ ...about, brand: config.brand.current() }))
    }
    return changed
  })
}

const lockThose = (tx: Db, { agenciaId, operadores }: Scope, sids: readonly string[], operador: string) =>
  tx.query<Consulta>(sql`
    select ${CONSULTA_SELECT} from consultas c
    where c.sid = any (${sids}::text[]) and c.agencia_id = ${agenciaId} and c.operador <> ${operador}
      ${operadores === undefined ? empty : sql`and c.operador = any (${operadores}::text[])`}
    order by c.sid for no key update of c`)
