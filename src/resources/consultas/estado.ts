import sql, { empty } from 'sql-template-tag'
import { insertEvents } from '../../webhooks/events.ts'
import type { Agencia } from '../agencias/agencia.ts'
import type { Consulta, EstadoConsulta } from './consulta.ts'
import type { ConsultasDeps } from './deps.ts'
import { consultaEvents } from './events.ts'
import { type Actor, recordHistory } from './history.ts'
import { lockConsulta } from './read.ts'
import { ANSWERED } from './response-times.ts'
import { lockAppsThatSee, type Scope } from './scope.ts'

interface EstadoChange {
  agencia: Pick<Agencia, 'id' | 'adminMail' | 'nombre'>
  /** What the caller sees, and so may change. */
  scope: Scope
  sid: string
  estado: EstadoConsulta
  /** Only if it still has this state. */
  from?: EstadoConsulta
  by?: Actor | undefined
  traceparent?: string | undefined
}

/** Notifies every app that sees it, the caller's too; the same state again nobody. Undefined: not in the scope. */
export async function changeEstado(
  { store, clock, config }: ConsultasDeps,
  { agencia, scope, sid, estado, from, by, traceparent }: EstadoChange,
): Promise<Consulta | undefined> {
  return store.transaction(async (tx) => {
    const consulta = await lockConsulta(tx, scope, sid)
    const apps = consulta ? await lockAppsThatSee(tx, consulta) : []
    if (by && 'appId' in by && !apps.includes(by.appId)) return undefined // its association ended, or a permission
    if (!consulta || consulta.estado === estado || (from && consulta.estado !== from)) return consulta
    const changed = { ...consulta, estado }
    const answered = ANSWERED.includes(estado) ? sql`, respondida_at = coalesce(respondida_at, ${clock()})` : empty
    await tx.query(sql`update consultas set estado = ${estado}, estado_at = now() ${answered} where sid = ${sid}`)
    await recordHistory(tx, [sid], { kind: 'estado', detail: estado, by })
    const { timeZone, country } = config
    const options = { topic: 'consulta.modificada', moment: clock(), timeZone, country, traceparent } as const
    if (apps.length > 0) await insertEvents(tx, consultaEvents(apps, changed, agencia, options))
    return changed
  })
}
