import { audit } from '../accounts/audit.ts'
import { toTimestamp } from '../http/dates.ts'
import { readLatestEmails, type StoredEmail } from '../mail/mails.ts'
import { inquiryWriter } from '../resources/consultas/emails.ts'
import { type Command, parseOptions, printJson, UsageError } from './command.ts'
import { withStore } from './with-store.ts'

const USAGE = `Usage: rodado mails [--to ADDRESS] [--last N] [--json]

The emails of this installation, newest first: sent, waiting, or stored because there is no SMTP_URL. One-time links are
removed from those that were sent.`

const DEFAULT_LAST = 20
const MOST = 10_000

/** Shows the emails, for development without a mail server. */
export const command: Command = {
  usage: USAGE,

  async run(argv, { config, out }) {
    const values = parseOptions(argv, {
      to: { type: 'string' },
      last: { type: 'string', default: String(DEFAULT_LAST) },
    })
    const last = Number(values.last)
    if (!/^\d+$/.test(values.last) || last < 1 || last > MOST)
      throw new UsageError(`--last must be a whole number from 1 to ${MOST}.`)

    const mails = await withStore(config, async ({ store, seal }) => {
      const writer = inquiryWriter(store, config)
      const found = await readLatestEmails(store, { seal, writer }, last, values.to)
      const detail = { cantidad: found.length }
      if (found.length > 0)
        await audit(store, { accountId: null, via: 'comando', act: 'correos.leer', subject: 'correos', detail })
      return found
    })
    const dated = mails.map(({ at, ...mail }) => ({ ...mail, at: toTimestamp(at, config.timeZone) }))
    if (values.json) printJson(out, dated)
    else out.write(dated.length > 0 ? dated.map(show).join('\n') : 'There are no emails.\n')
    return 0
  },
}

const RULE = '─'.repeat(72)

const show = ({ to, subject, text, at }: Omit<StoredEmail, 'at'> & { at: string }): string =>
  `${RULE}\nTo:      ${to}\nSubject: ${subject}\nDate:    ${at}\n\n${text}`
