import type { Dkim } from '../config.ts'
import { t } from '../i18n/messages.tsx'
import { MAIL_CHARACTERS, normalizeLine } from '../text.ts'
import { type LegalLink, LINK_CHARACTERS, MAX_LEGAL_LINKS, NAME_CHARACTERS, type StoredBrand } from './brand.ts'
import { type BrandTheme, type ContrastFault, contrastFault, MIN_CONTRAST, parseColour } from './colour.ts'
import type { ImageFault } from './image.ts'

/** The texts of a brand, as they were typed; an empty one restores the default. */
export interface BrandTexts {
  nombre: string
  color: string
  colorOscuro: string
  remitenteNombre: string
  remitenteMail: string
  soporteMail: string
  soporteUrl: string
  enlaces: LegalLink[]
}

/** What is wrong with a text. */
export type BrandFault =
  | { field: keyof BrandTexts; code: 'largo' | 'enlaces'; max: number }
  | { field: 'enlaces'; code: 'enlace'; max: number; at: number; part: keyof LegalLink }
  | { field: keyof BrandTexts; code: 'nombre' | 'color' | 'correo' | 'https' | 'sin-color' }
  | ({ field: 'color' | 'colorOscuro'; code: 'contraste'; theme: BrandTheme; min: number } & ContrastFault)
  /** Emails would be signed for another domain, and receivers distrust that. */
  | { field: 'remitenteMail'; code: 'dkim'; domain: string }

export const faultText = (fault: BrandFault | ImageFault): string => t(`marca.fault.${fault.code}`, { ...fault })

export const URL_CHARACTERS = 300
const MAIL = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,63}$/i

/** The texts that were given, as they are stored, or everything that is wrong with them. */
export function checkTexts(
  given: Partial<BrandTexts>,
  { dkim, current }: { dkim?: Pick<Dkim, 'domain'> | undefined; current: Pick<StoredBrand, 'color'> },
): { change: Partial<Omit<StoredBrand, 'images'>> } | { faults: BrandFault[] } {
  const faults: BrandFault[] = []
  const change: Partial<Omit<StoredBrand, 'images'>> = {}

  for (const field of ['nombre', 'remitenteNombre'] as const) {
    const text = given[field]
    if (text === undefined) continue
    const line = normalizeLine(text)
    if (line.length > NAME_CHARACTERS) faults.push({ field, code: 'largo', max: NAME_CHARACTERS })
    else if (line && !/[\p{L}\p{N}]/u.test(line)) faults.push({ field, code: 'nombre' })
    change[field] = line || null
  }

  for (const [field, theme] of [
    ['color', 'claro'],
    ['colorOscuro', 'oscuro'],
  ] as const) {
    const text = given[field]
    if (text === undefined) continue
    const colour = parseColour(text)
    const fault = colour && contrastFault(colour, theme)
    if (text.trim() && !colour) faults.push({ field, code: 'color' })
    if (fault) faults.push({ field, code: 'contraste', theme, min: MIN_CONTRAST, ...fault })
    change[field] = colour ?? null
  }
  if (change.color === null && given.colorOscuro === undefined) change.colorOscuro = null
  const color = change.color === undefined ? current.color : change.color
  if (color === null && change.colorOscuro) faults.push({ field: 'colorOscuro', code: 'sin-color' })

  for (const field of ['remitenteMail', 'soporteMail'] as const) {
    const text = given[field]?.trim()
    if (text === undefined) continue
    if (text && (text.length > MAIL_CHARACTERS || !MAIL.test(text))) faults.push({ field, code: 'correo' })
    else if (text && field === 'remitenteMail' && dkim && !isAligned(text, dkim.domain))
      faults.push({ field, code: 'dkim', domain: dkim.domain })
    change[field] = text || null
  }

  if (given.soporteUrl !== undefined) {
    const url = given.soporteUrl.trim()
    if (url && !isHttps(url)) faults.push({ field: 'soporteUrl', code: 'https' })
    change.soporteUrl = url ? (hrefOf(url) ?? null) : null
  }

  if (given.enlaces !== undefined) {
    const links = given.enlaces.map(({ texto, url }) => ({ texto: normalizeLine(texto), url: url.trim() }))
    if (links.length > MAX_LEGAL_LINKS) faults.push({ field: 'enlaces', code: 'enlaces', max: MAX_LEGAL_LINKS })
    for (const [at, { texto, url }] of links.entries()) {
      const hasText = texto !== '' && texto.length <= LINK_CHARACTERS
      if (!hasText || !isHttps(url))
        faults.push({ field: 'enlaces', code: 'enlace', max: LINK_CHARACTERS, at, part: hasText ? 'url' : 'texto' })
    }
    change.enlaces = links.map(({ texto, url }) => ({ texto, url: hrefOf(url) ?? '' }))
  }
  return faults.length > 0 ? { faults } : { change }
}

/** DMARC's relaxed alignment: the domain of the signature, or one below it. */
function isAligned(address: string, domain: string): boolean {
  const own = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const signed = domain.toLowerCase()
  return own === signed || own.endsWith(`.${signed}`) || signed.endsWith(`.${own}`)
}

const hrefOf = (text: string): string | undefined => (isHttps(text) ? new URL(text).href : undefined)

/** Without a user name, which hides where a link leads. */
function isHttps(text: string): boolean {
  if (text.length > URL_CHARACTERS || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && !username && !password
}
