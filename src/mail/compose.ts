import type { SendMailOptions } from 'nodemailer'
import type { Contents } from './letter.ts'

export interface Envelope {
  from: string
  to: string
  replyTo: string | undefined
  /** When the letter was written, which is its date however late it leaves. */
  at: Date
}

/** One address and nothing else: the mail library reads `a@x, b@y` as two, and `a b@x` as another than it says. */
export const isOneAddress = (to: string): boolean => /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/.test(to)

/** A letter as it goes over the wire. */
export function compose({ from, to, replyTo, at }: Envelope, contents: Contents): SendMailOptions {
  const { subject, text, html, messageId, unsubscribeUrl } = contents
  const sender = addressOf(from)
  return {
    from,
    to: { name: '', address: to },
    ...(replyTo && { replyTo }),
    envelope: { from: sender, to: [to] },
    messageId: `<${messageId}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    date: at,
    subject,
    text,
    html,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...unsubscribing(unsubscribeUrl),
    },
  }
}

/** RFC 2369; with one click (RFC 8058) only by https, as it says. */
function unsubscribing(url: string | undefined): Record<string, string> {
  if (!url) return {}
  const oneClick = url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
  return { 'List-Unsubscribe': `<${url}>`, ...oneClick }
}

/** The bare address of `Name <address>`. */
const addressOf = (mailbox: string): string => mailbox.match(/<([^<>]*)>\s*$/)?.[1] ?? mailbox

/** Who writes when MAIL_FROM does not say: nobody at the host of PUBLIC_URL. */
export function senderAt(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const v6 = hostname.startsWith('[') ? `[IPv6:${hostname.slice(1)}` : undefined
  const domain = v6 ?? (/^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname)
  return `Rodado <no-reply@${domain}>`
}
