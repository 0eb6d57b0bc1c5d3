import type { Account } from '../../accounts/account.ts'
import { recordWrongCode } from '../../accounts/second-factor.ts'
import { enqueueEmail } from '../../mail/email.ts'
import { type SecondFactorChange, secondFactorEmail } from '../../mail/emails.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import type { Db } from '../../store/db.ts'
import type { PageDeps } from '../signed-in.ts'

type Owner = Pick<Account, 'email' | 'nombre'>
type About = Pick<SecondFactorChange, 'hecho' | 'porQuien'>

/** E-mails the owner of a second factor about a change, within its transaction. */
export const notifyOwner = (
  tx: Db,
  { seal, config }: Pick<PageDeps, 'seal' | 'config'>,
  { email: to, nombre }: Owner,
  about: About,
): Promise<void> => {
  const claveUrl = `${config.publicUrl}/clave`
  return enqueueEmail(tx, seal, secondFactorEmail({ to, nombre, ...about, claveUrl, support: supportOf(config) }))
}

/** Records a wrong code; the owner gets an e-mail when no attempts are left. */
export const wrongCode = (deps: PageDeps, account: Account, left: number): Promise<void> =>
  deps.store.transaction(async (tx) => {
    if (await recordWrongCode(tx, account.id, left)) await notifyOwner(tx, deps, account, { hecho: 'intentos' })
  })
