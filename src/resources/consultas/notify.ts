import sql, { type Sql } from 'sql-template-tag'

/** Anybody may write anybody's address into a form: so many receipts a day go to one, and no more. */
const RECEIPTS_PER_DAY = 5

/**
 * The letters of the inquiries in `kept`, as the part `posted` of a statement: one to the operator, and a receipt to the
 * person who left a mail. They hold nothing: they are written when they leave, from the inquiry as it then is.
 */
export const POSTED: Sql = sql`
  posted as (
    insert into mails (kind, to_address, sid)
    select 'consulta', operador, sid from kept
    union all
    select 'consulta-recibo', email, sid
    from (select email, sid, row_number() over (partition by email order by sid) as nth
          from kept where email is not null) as receipt
    where nth + (select count(*) from mails
                 where to_address = receipt.email and kind = 'consulta-recibo' and created_at > now() - interval '1 day')
          <= ${RECEIPTS_PER_DAY}
  )`
