import sql from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'

export interface AgenciaFigures {
  agencias: number
  /** Of these, registered in the last 30 days. */
  nuevas: number
  /** Invitations that wait for an answer. */
  invitadas: number
}

/** How many agencies of a mode there are. They are thousands, not millions: counting them costs little. */
export async function agenciaFigures(db: Db, modo: Modo): Promise<AgenciaFigures> {
  const [row] = await db.query<AgenciaFigures>(sql`
    select count(*) as agencias, count(*) filter (where created_at > now() - interval '30 days') as nuevas,
      (select count(*) from invitaciones
       where modo = ${modo} and estado = 'pendiente' and vence > now()) as invitadas
    from agencias where modo = ${modo}`)
  return row ?? { agencias: 0, nuevas: 0, invitadas: 0 }
}
