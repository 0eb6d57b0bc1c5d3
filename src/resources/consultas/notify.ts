import sql, { empty, type Sql } from 'sql-template-tag'
import type { Interesado } from './consulta.ts'

/** Anybody may write anybody's address into a form: so many receipts a day go to one, and no more. */
const RECEIPTS_PER_DAY = 5

/**
 * The letters of an inquiry, as the part `posted` of a statement whose part `received` has it: to the operator, and a
 * receipt to the person. They hold nothing: they are written when they leave, from the inquiry as it then is.
 */
export const postedSql = (operador: string, { Email }: Pick<Interesado, 'Email'>): Sql => sql`
  posted as (
    insert into mails (kind, to_address, sid)
    select 'consulta', ${operador}, received.sid from received
    ${Email ? receipt(Email) : empty}
  )`

const receipt = (email: string): Sql => sql`
  union all
  select 'consulta-recibo', ${email}, received.sid from received
  where (select count(*) from mails
         where to_address = ${email} and kind = 'consulta-recibo' and created_at > now() - interval '1 day')
        < ${RECEIPTS_PER_DAY}`
