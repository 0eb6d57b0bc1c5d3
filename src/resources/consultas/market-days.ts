import sql, { join } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import { addDays } from '../../http/dates.ts'
import type { Db } from '../../store/db.ts'
import { dayOfMonth, monthOf } from './counts.ts'

const MONTH_DAYS = 31

/** How many inquiries came on each day of a period, oldest first, at all agencies of a mode. */
export async function inquiriesByDay(
  db: Db,
  modo: Modo,
  { desde, hasta }: { desde: string; hasta: string },
): Promise<{ dia: string; consultas: number }[]> {
  const sums = Array.from({ length: MONTH_DAYS }, (_, at) => sql`coalesce(sum(n.dias[${at + 1}::int]), 0)`)
  const rows = await db.query<{ mes: string; dias: number[] }>(sql`
    select n.mes::text as mes, array[${join(sums)}]::float8[] as dias
    from consulta_counts n join agencias g on g.id = n.agencia_id
    where n.mes between ${monthOf(desde)}::date and ${monthOf(hasta)}::date and g.modo = ${modo}
    group by n.mes`)
  const months = new Map(rows.map(({ mes, dias }) => [mes, dias]))
  const days: { dia: string; consultas: number }[] = []
  for (let dia = desde; dia <= hasta; dia = addDays(dia, 1))
    days.push({ dia, consultas: months.get(monthOf(dia))?.[dayOfMonth(dia) - 1] ?? 0 })
  return days
}
