import { TEXT, UsageError } from '@rodado/cli'
import { audit, byCommand } from '../accounts/audit.ts'
import { storedBrand } from '../brand/store.ts'
import { toTimestamp } from '../http/dates.ts'
import { readLatestEmails, type StoredEmail } from '../mail/mail-log.ts'
import { consultaWriter } from '../resources/consultas/emails.ts'
import { defineCommand } from './command.ts'
import { withStore } from './with-store.ts'

const MAX_LISTED = 10_000

/** Shows the emails, for development without a mail server. */
export const run = defineCommand('', { to: TEXT, last: { ...TEXT, default: '20' } }, async (values, { config }) => {
  const last = Number(values.last)
  if (!/^\d+$/.test(values.last) || last < 1 || last > MAX_LISTED)
    throw new UsageError(`--last must be a whole number from 1 to ${MAX_LISTED}.`)

  const mails = await withStore(config, async ({ store, seal }) => {
    const writer = consultaWriter(store, { ...config, brand: await storedBrand(store, config) })
    const found = await readLatestEmails(store, { seal, writer }, last, values.to)
    const detail = { cantidad: found.length }
    if (found.length > 0) await audit(store, byCommand('correos.leer', 'correos', detail))
    return found
  })
  const dated = mails.map(({ at, ...mail }) => ({ ...mail, at: toTimestamp(at, config.timeZone) }))
  return { json: dated, text: dated.map(show).join('\n') || 'There are no emails.\n' }
})

const RULE = '─'.repeat(72)

const show = ({ to, subject, text, estado, at }: Omit<StoredEmail, 'at'> & { at: string }): string =>
  `${RULE}\nTo:      ${to}\nSubject: ${subject}\nDate:    ${at}\nStatus:  ${estado}\n\n${text}`
