import { type Accent, accentOf } from './colour.ts'

/** The name of the software, for a marketplace that has not given its own. */
const OUR_NAME = 'Rodado'

export const NAME_CHARACTERS = 60
export const MAX_LEGAL_LINKS = 5
export const LINK_CHARACTERS = 40

/** How a marketplace presents itself on pages, emails and documents, complete with defaults. */
export interface Brand {
  nombre: string
  /** False while the name is ours, which has our logo. */
  isNamed: boolean
  /** Undefined: the colours of the stylesheet. */
  accent: Accent | undefined
  /** The sender of emails. */
  from: Mailbox
  support: Support
  legal: LegalLink[]
  images: Partial<Record<ImageSlot, BrandImage>>
  /** Where emails find the images. */
  publicUrl: string
}

export interface Mailbox {
  name: string
  address: string
}

/** Customer service: a page, a mail address. */
interface Support {
  url?: string | undefined
  mail?: string | undefined
}

export interface LegalLink {
  texto: string
  url: string
}

export const IMAGE_SLOTS = ['logo', 'logoOscuro', 'favicon'] as const
export type ImageSlot = (typeof IMAGE_SLOTS)[number]

export interface BrandImage {
  /** SHA-256 of the bytes, in hex. */
  hash: string
  ancho: number
  alto: number
  bytes: Buffer
}

/** The address changes with the content, so it may be cached for ever. */
export const imagePath = ({ hash }: BrandImage): string => `/assets/marca/${hash}.png`

/** What was set by `rodado marca` or in the console; null where the default holds. */
export interface StoredBrand {
  nombre: string | null
  color: string | null
  colorOscuro: string | null
  remitenteNombre: string | null
  remitenteMail: string | null
  soporteMail: string | null
  soporteUrl: string | null
  enlaces: LegalLink[]
  images: Brand['images']
}

export const NOTHING_STORED: StoredBrand = {
  nombre: null,
  color: null,
  colorOscuro: null,
  remitenteNombre: null,
  remitenteMail: null,
  soporteMail: null,
  soporteUrl: null,
  enlaces: [],
  images: {},
}

/** The settings that are defaults of the brand. */
export interface BrandSettings {
  publicUrl: string
  mailFrom?: string | undefined
  supportUrl?: string | undefined
  supportMail?: string | undefined
}

/** The brand in force: what is stored, then the settings, then our own name. */
export function brandOf(stored: StoredBrand, settings: BrandSettings): Brand {
  const nombre = stored.nombre ?? OUR_NAME
  const configured = settings.mailFrom === undefined ? undefined : mailboxOf(settings.mailFrom)
  return {
    nombre,
    isNamed: stored.nombre !== null,
    accent: stored.color === null ? undefined : accentOf(stored.color, stored.colorOscuro ?? undefined),
    from: {
      name: stored.remitenteNombre ?? (configured?.name || nombre),
      address: stored.remitenteMail ?? configured?.address ?? defaultAddress(settings.publicUrl),
    },
    support: {
      url: stored.soporteUrl ?? settings.supportUrl,
      mail: stored.soporteMail ?? settings.supportMail,
    },
    legal: stored.enlaces,
    images: stored.images,
    publicUrl: settings.publicUrl,
  }
}

/** The brand of a running server, as it is now. */
export interface BrandSource {
  current(): Brand
  /** Reads it again, for who has just changed it. */
  refresh(): Promise<void>
}

/** A brand that stays as it is. */
export const fixedBrand = (brand: Brand): BrandSource => ({ current: () => brand, refresh: async () => undefined })

/** Without a database there is nothing but the defaults. */
export const defaultBrand = (settings: BrandSettings): BrandSource => fixedBrand(brandOf(NOTHING_STORED, settings))

/** `Name <address>`, or an address alone. */
export function mailboxOf(text: string): Mailbox {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>\s*$/.exec(text) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

/** no-reply at the host of PUBLIC_URL. */
function defaultAddress(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  const v6 = hostname.startsWith('[') ? `[IPv6:${hostname.slice(1)}` : undefined
  return `no-reply@${v6 ?? (/^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname)}`
}
