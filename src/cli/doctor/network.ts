import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { discoverProvider } from '../../auth/oidc.ts'
import { DAY_MS } from '../../clock.ts'
import { type Config, s3Endpoint } from '../../config.ts'
import { readCertificate } from '../../http/certificate.ts'
import { checkSmtp, openSmtp } from '../../mail/smtp.ts'
import type { PhotoStorage } from '../../photos/photo.ts'
import { openPhotoStorage } from '../../photos/storage.ts'
import { type Checks, type Finding, fine, warning, wrong } from './finding.ts'

interface Subject {
  config: Config
  /** Where to send an email, if one is wanted. */
  email: string | undefined
}

const EXPIRES_SOON_DAYS = 14
const READY_MS = 5_000

const isLocal = (host: string) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)

export const NETWORK_CHECKS: Checks<Subject> = {
  async address({ config: { publicUrl } }) {
    const { hostname } = new URL(publicUrl)
    if (isLocal(hostname)) return fine(`${hostname} is this machine`)
    if (isIP(hostname.replace(/[[\]]/g, '')) !== 0) return fine(`${hostname} needs no DNS`)
    const found = await lookup(hostname, { all: true }).catch(() => [])
    if (found.length === 0)
      return wrong(
        `DNS does not know ${hostname}`,
        'Add its record, or correct PUBLIC_URL: links in emails start with it.',
      )
    return fine(`${hostname} is ${found.map(({ address }) => address).join(', ')}`)
  },

  async certificate({ config: { publicUrl } }) {
    const { hostname, protocol } = new URL(publicUrl)
    if (protocol === 'http:')
      return isLocal(hostname)
        ? fine('none: http on this machine')
        : warning('PUBLIC_URL is http', 'Put TLS in front and make it https: passwords are sent there.')
    const found = await readCertificate(publicUrl).catch((error: Error) => error)
    if (!found || found instanceof Error)
      return wrong(`no TLS at ${publicUrl}: ${found?.message}`, 'Is the balancer running, and is PUBLIC_URL right?')
    const { fault, expiresAt } = found
    const days = Math.floor((expiresAt.getTime() - Date.now()) / DAY_MS)
    if (fault) return wrong(`clients refuse it: ${fault}`, 'Install one from a public authority, with its whole chain.')
    const detail = `valid until ${expiresAt.toISOString().slice(0, 10)}, ${days} days`
    return days < EXPIRES_SOON_DAYS ? warning(detail, 'Its renewal has failed: look at the balancer.') : fine(detail)
  },

  async server({ config: { publicUrl } }) {
    const signal = AbortSignal.timeout(READY_MS)
    const response = await fetch(new URL('/health/ready', publicUrl), { signal }).catch((error: Error) => error)
    if (response instanceof Error) {
      const { code } = (response.cause ?? {}) as NodeJS.ErrnoException
      const reason = code ?? response.message
      return wrong(`no answer at ${publicUrl} (${reason})`, 'Start the server and its balancer, or correct PUBLIC_URL.')
    }
    const { status, reason } = (await response.json().catch(() => ({}))) as { status?: string; reason?: string }
    if (status === 'ready') return fine(`ready at ${publicUrl}`)
    if (response.ok)
      return wrong(
        `another program answers at ${publicUrl}`,
        'Make the balancer forward to PORT, or correct PUBLIC_URL.',
      )
    return wrong(
      `${publicUrl}/health/ready answers ${response.status}${reason ? `: ${reason}` : ''}`,
      'Look at its log.',
    )
  },

  async mail({ config: { smtpUrl, brand, publicUrl, dkim, bounceAddress }, email: to }) {
    if (!smtpUrl)
      return to
        ? wrong('no SMTP_URL: emails are stored, not sent', 'Set SMTP_URL and MAIL_FROM.')
        : fine('no SMTP_URL: emails are stored, not sent')
    const fault = await checkSmtp(smtpUrl).catch((error: Error) => error.message)
    if (fault !== undefined)
      return wrong(
        `the mail server of SMTP_URL does not accept our connection: ${fault}`,
        'Check host, port, user and password of SMTP_URL, and that the network lets this machine reach it.',
      )
    const detail = 'the mail server of SMTP_URL accepts our connection'
    if (!to) return fine(`${detail}; --email ADDRESS sends an email`)
    const { from } = brand.current()
    const smtp = openSmtp(smtpUrl, { dkim })
    const text = `Este correo confirma que ${publicUrl} puede enviar correos. No hace falta responderlo.`
    const envelope = { from: bounceAddress ?? from.address, to: [to] }
    const email = { from, to, envelope, subject: 'Correo de prueba', text }
    const outcome = await smtp.send(email, new AbortController().signal).finally(() => smtp.close())
    if (outcome.kind === 'delivered') return fine(`${detail} and took an email from ${from.address} to ${to}`)
    const reason = 'reason' in outcome ? outcome.reason : outcome.kind
    return wrong(
      `the mail server refused an email from ${from.address}: ${reason}`,
      'Is the sender (`rodado marca show`, or MAIL_FROM) an address that it may send for?',
    )
  },

  photos: ({ config }) => checkPhotos(config),

  async oidc({ config: { oidc } }) {
    if (!oidc) return fine('no OIDC_ISSUER: the staff signs in here')
    const failed = await discoverProvider(oidc).then(
      () => undefined,
      (error: Error) => error,
    )
    if (!failed) return fine(`${oidc.issuer} describes itself as that issuer`)
    const issuer = otherIssuer(failed)
    if (issuer !== undefined)
      return wrong(`${oidc.issuer} calls itself ${issuer}`, `Set OIDC_ISSUER=${issuer}, exactly as the provider does.`)
    return wrong(
      `${oidc.issuer} does not describe itself as an OpenID provider: ${reasonOf(failed)}`,
      'Is OIDC_ISSUER right, is the provider running, and can this machine reach it?',
    )
  },
}

function reasonOf({ message, cause }: Error): string {
  const { code, message: reason } = (cause ?? {}) as Partial<NodeJS.ErrnoException>
  return code ?? reason ?? message
}

/** The issuer that a provider names, if it is another one. */
function otherIssuer({ cause }: Error): string | undefined {
  const { attribute, body } = (cause ?? {}) as { attribute?: string; body?: { issuer?: string } }
  return attribute === 'issuer' ? body?.issuer : undefined
}

/** Stores, reads and removes a file where PHOTOS_URL says. */
async function checkPhotos({ photosUrl, dataDir }: Config): Promise<Finding> {
  if (photosUrl === undefined) return fine(`no PHOTOS_URL: copies are in ${join(dataDir, 'photos')}`)
  const isBucket = photosUrl.startsWith('s3:')
  const place = isBucket ? s3Endpoint(photosUrl).href : fileURLToPath(photosUrl)
  try {
    await (isBucket ? tryStorage(openPhotoStorage({ photosUrl, dataDir })) : tryFolder(place, dataDir))
    return fine(`${place} stores, returns and removes a file`)
  } catch (error) {
    return wrong(
      `${place} cannot be used: ${reasonOf(error as Error)}`,
      isBucket
        ? 'Check host, bucket, key and secret of PHOTOS_URL, and that the key may get, put and delete objects: docs/photos.md.'
        : 'Create the folder, and let the user of the server write there.',
    )
  }
}

/** In a folder of its own, so that nothing of ours stays there with the rights of another user. */
async function tryFolder(folder: string, dataDir: string): Promise<void> {
  const own = await mkdtemp(join(folder, 'doctor-'))
  try {
    await tryStorage(openPhotoStorage({ photosUrl: pathToFileURL(own).href, dataDir }))
  } finally {
    await rm(own, { recursive: true })
  }
}

async function tryStorage(storage: PhotoStorage): Promise<void> {
  const name = `doctor-${randomUUID()}`
  const bytes = Buffer.from(name)
  await storage.put(name, bytes, 'text/plain')
  try {
    const read = await storage.get(name)
    if (!read?.equals(bytes))
      throw new Error(read ? 'what was stored is not what is read' : 'what was stored cannot be read')
  } finally {
    await storage.remove(name)
  }
}
