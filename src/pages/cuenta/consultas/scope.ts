import type { Account } from '../../../accounts/account.ts'
import { audit } from '../../../accounts/audit.ts'
import type { Consulta } from '../../../resources/consultas/consulta.ts'
import type { Db } from '../../../store/db.ts'
import type { At, OwnAgencia } from '../nav.tsx'

/** The administrator sees all of an agency's, others what they are responsible for (decisions, 9). */
export const scopeOf = ({ id, rol }: OwnAgencia, { email }: Account) => ({
  agenciaId: id,
  sight: 'all' as const,
  operador: rol === 'administrador' ? undefined : email,
})

/** Notes in the audit log whose inquiries are about to be shown, and to whom. */
export const noteList = (db: Db, { account, agencia }: At, rows: readonly Consulta[], more = {}): Promise<void> =>
  audit(db, {
    accountId: account.id,
    via: 'agencia',
    act: 'consultas.listar',
    subject: agencia.adminMail,
    detail: { sids: rows.map(({ sid }) => sid), ...more },
  })
