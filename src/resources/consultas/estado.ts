import type { Db } from '../../store/db.ts'
import { freeze, writeEvents } from '../../webhooks/events.ts'
import type { Agencia } from '../agencias/agencia.ts'
import { agenciaRef } from '../agencias/represent.ts'
import type { Consulta, EstadoConsulta } from './consulta.ts'
import type { ConsultasDeps } from './deps.ts'
import { consultaEntry } from './represent.ts'
import { holdAppsThatSee } from './sight.ts'
import { lockConsulta, type Scope, writeEstado } from './store.ts'

export interface Change {
  agencia: Pick<Agencia, 'id' | 'adminMail' | 'nombre'>
  /** Whoever changes it changes what they see. */
  scope: Scope
  sid: string
  estado: EstadoConsulta
  traceparent?: string | undefined
}

/**
 * Says where the work on an inquiry stands. Every app that sees it is told, the one that acted included; what changes
 * nothing tells nobody. Undefined where there is no such inquiry in sight.
 */
export async function changeEstado(deps: ConsultasDeps, change: Change): Promise<Consulta | undefined> {
  return deps.store.transaction(async (tx) => {
    const consulta = await lockConsulta(tx, change.scope, change.sid)
    if (!consulta || consulta.estado === change.estado) return consulta
    const changed = { ...consulta, estado: change.estado }
    await writeEstado(tx, changed)
    await tellChanged(tx, deps, changed, change)
    return changed
  })
}

async function tellChanged(tx: Db, deps: ConsultasDeps, consulta: Consulta, change: Change): Promise<void> {
  const apps = await holdAppsThatSee(tx, consulta)
  if (apps.length === 0) return
  const { timeZone } = deps.config
  const { agencia, traceparent } = change
  const about = {
    topic: 'consulta.modificada',
    agencia: { id: agencia.id, adminMail: agencia.adminMail, ...agenciaRef(agencia) },
    moment: deps.clock(),
    timeZone,
    sid: consulta.sid,
    body: { Consulta: consultaEntry(consulta, agencia.adminMail, timeZone) },
    traceparent,
  } as const
  await writeEvents(
    tx,
    apps.map((appId) => freeze({ ...about, appId })),
  )
}
