import sql from 'sql-template-tag'
import type { App } from '../../apps/app.ts'
import { fold } from '../../catalogue/text.ts'
import type { Db } from '../../store/db.ts'

const ACCENTED = 'áéíóúàèìòùâêîôûäëïöüãõçñÁÉÍÓÚÀÈÌÒÙÂÊÎÔÛÄËÏÖÜÃÕÇÑ'

/** The numbers of the app's agencies whose names have those words, some of them; without case and accents. */
export async function agenciasNamed(db: Db, app: App, words: string, most: number): Promise<number[]> {
  const parts = fold(words).split(/\s+/).filter(Boolean)
  const rows = await db.query<{ id: number }>(sql`
    select g.id from asociaciones s join agencias g on g.id = s.agencia_id
    where s.app_id = ${app.id} and s.ended_at is null
      and lower(translate(g.nombre, ${ACCENTED}, ${fold(ACCENTED)})) like all (${parts.map(within)}::text[])
    order by g.nombre limit ${most}`)
  return rows.map(({ id }) => id)
}

const within = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`
