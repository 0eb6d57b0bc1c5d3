import sql, { empty } from 'sql-template-tag'
import { addDays } from '../../http/dates.ts'
import type { Db } from '../../store/db.ts'
import { touchedBy } from './counts.ts'

export interface OfDays {
  agenciaId: number
  /** Only those that this person is responsible for. */
  operador: string | undefined
  /** Days of TIME_ZONE, both included. */
  desde: string
  hasta: string
}

/** How many inquiries an agency had on each day, the days without any included; read from the counters alone. */
export async function dailyConsultas(
  db: Db,
  { agenciaId, operador, desde, hasta }: OfDays,
): Promise<{ dia: string; cantidad: number }[]> {
  const rows = await db.query<{ dia: string; cantidad: number }>(sql`
    select (n.mes + (d.dom - 1)::int)::text as dia, sum(d.n)::int as cantidad
    from consulta_counts n cross join lateral unnest(n.dias) with ordinality as d(n, dom)
    where n.agencia_id = ${agenciaId} and ${touchedBy({ desde, hasta })} and d.n > 0
      ${operador === undefined ? empty : sql`and n.operador = ${operador}`}
    group by 1`)
  const counted = new Map(rows.map(({ dia, cantidad }) => [dia, cantidad]))
  const days: { dia: string; cantidad: number }[] = []
  for (let dia = desde; dia <= hasta; dia = addDays(dia, 1)) days.push({ dia, cantidad: counted.get(dia) ?? 0 })
  return days
}
