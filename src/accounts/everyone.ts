import sql from 'sql-template-tag'
import type { Db } from '../store/db.ts'
import type { Account } from './account.ts'
import type { MemberRol } from './members.ts'

/** Somebody of the staff or of a partner's team, as an operator sees them. */
export interface Somebody extends Pick<Account, 'id' | 'email' | 'nombre' | 'apellido' | 'hasPassword' | 'staff'> {
  /** Whether the second factor is set up; the staff alone has one. */
  secured: boolean
  apps: { appKey: string; rol: MemberRol }[]
  /** Asked to join the staff, and not come yet. */
  asked: boolean
}

/** Staff, developers, and who was asked to be of the staff. People of agencies are not here: there are thousands. */
export const listEveryone = (db: Db): Promise<Somebody[]> =>
  db.query<Somebody>(sql`
    with asked as (
      select distinct account_id from account_links
      where purpose = 'personal' and used_at is null and expires_at > now() and account_id is not null)
    select a.id, a.email, a.nombre, a.apellido, a.password_hash is not null as "hasPassword",
           s.account_id is not null as staff, s.sealed_totp is not null as secured,
           k.account_id is not null as asked,
           coalesce((select json_agg(json_build_object('appKey', p.app_key, 'rol', m.rol) order by p.id)
                     from app_members m join apps p on p.id = m.app_id where m.account_id = a.id), '[]') as apps
    from accounts a left join staff s on s.account_id = a.id and s.ended_at is null
      left join asked k on k.account_id = a.id
    where s.account_id is not null or k.account_id is not null
      or exists (select from app_members m where m.account_id = a.id)
    order by a.email`)
