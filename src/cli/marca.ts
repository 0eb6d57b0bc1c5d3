import { readFile } from 'node:fs/promises'
import { TEXT, UsageError } from '@rodado/cli'
import { audit, byCommand } from '../accounts/audit.ts'
import { type Brand, brandOf, type ImageSlot, type LegalLink, mailboxOf } from '../brand/brand.ts'
import { type BrandFault, type BrandTexts, checkTexts, faultText } from '../brand/check.ts'
import { type ImageFault, readImage } from '../brand/image.ts'
import { type BrandChange, readBrand, saveBrand } from '../brand/store.ts'
import { inLocale } from '../i18n/locale.ts'
import { defineCommand, subcommands } from './command.ts'
import { withStore } from './with-store.ts'

const OPTIONS = {
  nombre: TEXT,
  color: TEXT,
  'color-oscuro': TEXT,
  remitente: TEXT,
  soporte: TEXT,
  'soporte-url': TEXT,
  enlace: { type: 'string', multiple: true },
  logo: TEXT,
  'logo-oscuro': TEXT,
  favicon: TEXT,
} as const

/** Sets and shows how the marketplace presents itself. */
export const run = subcommands('marca', {
  show: defineCommand('', {}, async (_values, { config }) => {
    const brand = await withStore(config, async ({ store }) => brandOf(await readBrand(store), config))
    return { json: describe(brand), text: write(brand) }
  }),

  set: defineCommand('', OPTIONS, async (values, { config }) => {
    const { 'color-oscuro': colorOscuro, 'soporte-url': soporteUrl } = values
    const remitente = values.remitente === undefined ? undefined : mailboxOf(values.remitente)
    const given: Partial<BrandTexts> = {
      ...(values.nombre !== undefined && { nombre: values.nombre }),
      ...(values.color !== undefined && { color: values.color }),
      ...(colorOscuro !== undefined && { colorOscuro }),
      ...(remitente && { remitenteNombre: remitente.name, remitenteMail: remitente.address }),
      ...(values.soporte !== undefined && { soporteMail: values.soporte }),
      ...(soporteUrl !== undefined && { soporteUrl }),
      ...(values.enlace && { enlaces: values.enlace.filter(Boolean).map(linkOf) }),
    }
    const { logo, 'logo-oscuro': logoOscuro, favicon } = values
    const images = await readImages({ logo, logoOscuro, favicon })
    if (Object.keys({ ...given, ...images }).length === 0) throw new UsageError('say what to set.')
    const brand = await withStore(config, ({ store }) =>
      store.transaction(async (tx) => {
        const checked = checkTexts(given, { dkim: config.dkim, current: await readBrand(tx) })
        if ('faults' in checked) throw new UsageError([...new Set(checked.faults.map(messageOf))].join('\n'))
        const stored = await saveBrand(tx, { ...checked.change, images })
        const detail = { nombre: stored.nombre, imagenes: Object.keys(stored.images) }
        const act = Object.keys(given).length > 0 ? 'marca.textos' : 'marca.imagenes'
        await audit(tx, byCommand(act, 'marca', detail))
        return brandOf(stored, config)
      }),
    )
    return { json: describe(brand), text: write(brand) }
  }),
})

/** An empty path removes the image. */
async function readImages(paths: Record<ImageSlot, string | undefined>): Promise<NonNullable<BrandChange['images']>> {
  const images: NonNullable<BrandChange['images']> = {}
  for (const [slot, path] of Object.entries(paths) as [ImageSlot, string | undefined][]) {
    if (path === undefined) continue
    const image = path === '' ? null : await readImage(slot, await readFile(path))
    if (image && 'code' in image) throw new Error(`${path}: ${englishOf(image)}`)
    images[slot] = image
  }
  return images
}

/** `Términos=https://…` */
function linkOf(text: string): LegalLink {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError('--enlace is a text and an address: --enlace "Términos=https://…".')
  return { texto: text.slice(0, at), url: text.slice(at + 1) }
}

const OPTION_OF: Record<keyof BrandTexts, string> = {
  nombre: '--nombre',
  color: '--color',
  colorOscuro: '--color-oscuro',
  remitenteNombre: '--remitente',
  remitenteMail: '--remitente',
  soporteMail: '--soporte',
  soporteUrl: '--soporte-url',
  enlaces: '--enlace',
}

const messageOf = (fault: BrandFault): string => `${OPTION_OF[fault.field]}: ${englishOf(fault)}`

const englishOf = (fault: BrandFault | ImageFault): string => inLocale('en', () => faultText(fault))

const describe = ({ nombre, accent, from, support, legal, images }: Brand) => ({
  Nombre: nombre,
  Color: accent?.claro.accent ?? null,
  ColorOscuro: accent?.oscuro.accent ?? null,
  Remitente: { Nombre: from.name, Mail: from.address },
  Soporte: { Mail: support.mail ?? null, Url: support.url ?? null },
  Enlaces: legal.map(({ texto, url }) => ({ Texto: texto, Url: url })),
  Imagenes: Object.fromEntries(
    Object.entries(images).map(([slot, { hash, ancho, alto }]) => [slot, { Hash: hash, Ancho: ancho, Alto: alto }]),
  ),
})

function write(brand: Brand): string {
  const { nombre, accent, from, support, legal, images } = brand
  const rows: [string, string][] = [
    ['Name', nombre],
    ['Colour', accent ? `${accent.claro.accent}, on dark ${accent.oscuro.accent}` : 'the default'],
    ['Sender', `${from.name} <${from.address}>`],
    ['Support', [support.mail, support.url].filter(Boolean).join(', ') || 'none'],
    ...legal.map(({ texto, url }): [string, string] => ['Link', `${texto}: ${url}`]),
    ...Object.entries(images).map(([slot, { ancho, alto }]): [string, string] => [slot, `${ancho} × ${alto}`]),
  ]
  return rows.map(([label, value]) => `${label.padEnd(11)}${value}\n`).join('')
}
