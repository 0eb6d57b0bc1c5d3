import type { FastifyReply } from 'fastify'
import {
  type Brand,
  type BrandImage,
  IMAGE_SLOTS,
  type ImageSlot,
  imagePath,
  LINK_CHARACTERS,
  MAX_LEGAL_LINKS,
  NAME_CHARACTERS,
  NOTHING_STORED,
  type StoredBrand,
} from '../../brand/brand.ts'
import { type BrandFault, type BrandTexts, checkTexts, faultText, URL_CHARACTERS } from '../../brand/check.ts'
import { MAX_IMAGE_BYTES, readImage } from '../../brand/image.ts'
import { type BrandChange, lockBrand, readBrand, saveBrand } from '../../brand/store.ts'
import type { Errors } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
import { EMAIL_INPUT, Field, Form, Tick } from '../fields.tsx'
import { faultsInOrder, fileRoute, formRoute, isChecked, textFields } from '../form.ts'
import { Fields, type FormFields, labelsOf, type Refused } from '../form-fields.tsx'
import { formState, refusedStatus, saveUnlessOvertaken, versionIn } from '../overtaken.ts'
import { page } from '../page.ts'
import { Section } from '../parts.tsx'
import { type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { type ConsoleContext, ConsolePage, type ConsolePages } from './context.tsx'

const BRAND = '/consola/marca'

const EXAMPLE_COLOUR = '#0b6b5d'
const EXAMPLE_DARK_COLOUR = '#5fc4b1'
const COLOUR_INPUT = { placeholder: EXAMPLE_COLOUR, maxlength: 7, spellcheck: false, autocapitalize: 'none' } as const
const URL_INPUT = { type: 'url', inputmode: 'url', maxlength: URL_CHARACTERS } as const

const textFieldsOfBrand = () =>
  ({
    Nombre: { label: t('marca.field.name'), hint: t('marca.field.name.hint'), optional: true, max: NAME_CHARACTERS },
    Color: {
      label: t('marca.field.colour'),
      hint: t('marca.field.colour.hint'),
      optional: true,
      more: COLOUR_INPUT,
    },
    ColorOscuro: {
      label: t('marca.field.darkColour'),
      hint: t('marca.field.darkColour.hint'),
      optional: true,
      more: { ...COLOUR_INPUT, placeholder: EXAMPLE_DARK_COLOUR },
    },
    RemitenteNombre: { label: t('marca.field.senderName'), optional: true, max: NAME_CHARACTERS },
    RemitenteMail: {
      label: t('marca.field.senderMail'),
      hint: t('marca.field.senderMail.hint'),
      optional: true,
      more: EMAIL_INPUT,
    },
    SoporteMail: { label: t('marca.field.supportMail'), optional: true, more: EMAIL_INPUT },
    SoporteUrl: { label: t('marca.field.supportUrl'), optional: true, more: URL_INPUT },
  }) satisfies FormFields

const LINKS = Array.from({ length: MAX_LEGAL_LINKS }, (_, at) => at + 1)

const linkFields = (number: number): FormFields => ({
  [`Texto${number}`]: { label: t('marca.link.text', { number }), optional: true, max: LINK_CHARACTERS },
  [`Url${number}`]: { label: t('marca.link.url', { number }), optional: true, more: URL_INPUT },
})

const allFields = (): FormFields => ({ ...textFieldsOfBrand(), ...Object.assign({}, ...LINKS.map(linkFields)) })

/** With the value in force where a field is left empty. */
function withDefaults(fields: FormFields, { nombre, accent, from, support }: Brand): FormFields {
  const inForce: Given = {
    Nombre: nombre,
    RemitenteNombre: from.name,
    RemitenteMail: from.address,
    SoporteMail: support.mail ?? '',
    SoporteUrl: support.url ?? '',
    ColorOscuro: accent?.oscuro.accent ?? '',
  }
  const shown = ([name, field]: [string, FormFields[string]]) =>
    [name, inForce[name] ? { ...field, more: { ...field.more, placeholder: inForce[name] } } : field] as const
  return Object.fromEntries(Object.entries(fields).map(shown))
}

/** The field of each text; a link has two of its own. */
const FIELD_OF: Record<keyof BrandTexts, string> = {
  nombre: 'Nombre',
  color: 'Color',
  colorOscuro: 'ColorOscuro',
  remitenteNombre: 'RemitenteNombre',
  remitenteMail: 'RemitenteMail',
  soporteMail: 'SoporteMail',
  soporteUrl: 'SoporteUrl',
  enlaces: 'Texto1',
}

type Given = Record<string, string>

/** Every field with its stored text. */
const shownOf = ({ enlaces, images: _, ...texts }: StoredBrand): Given =>
  Object.fromEntries([
    ...Object.keys(allFields()).map((name) => [name, ''] as const),
    ...Object.entries(texts).map(([name, value]) => [FIELD_OF[name as keyof BrandTexts], value ?? ''] as const),
    ...enlaces.flatMap(({ texto, url }, at) => [[`Texto${at + 1}`, texto] as const, [`Url${at + 1}`, url] as const]),
  ])

function textsOf(given: Given): BrandTexts {
  const text = (name: string) => given[name] ?? ''
  const texts = Object.fromEntries(Object.entries(FIELD_OF).map(([name, field]) => [name, text(field)]))
  const enlaces = givenLinks(given).map((number) => ({ texto: text(`Texto${number}`), url: text(`Url${number}`) }))
  return { ...(texts as Record<keyof BrandTexts, string>), enlaces }
}

const givenLinks = (given: Given): number[] =>
  LINKS.filter((number) => given[`Texto${number}`] || given[`Url${number}`])

function fieldOf(fault: BrandFault, given: Given): string {
  if (fault.code !== 'enlace') return FIELD_OF[fault.field]
  return `${fault.part === 'texto' ? 'Texto' : 'Url'}${givenLinks(given)[fault.at]}`
}

const TEXT_CHARACTERS = 2 * NAME_CHARACTERS + 4 * URL_CHARACTERS + MAX_LEGAL_LINKS * (URL_CHARACTERS + LINK_CHARACTERS)

/** /consola/marca: how the marketplace presents itself. */
export function brandRoutes(app: ConsolePages, { store, config }: PageDeps): void {
  async function show(reply: FastifyReply, ctx: ConsoleContext, refused: RefusedBrand = {}) {
    const stored = await readBrand(store)
    return page(
      reply,
      brandPage(ctx, stored, config.brand.current(), refused),
      refused.errors ? refusedStatus(refused) : 200,
    )
  }

  const audited =
    (act: string) =>
    ({ nombre, images }: StoredBrand) => ({ act, subject: 'marca', detail: { nombre, imagenes: Object.keys(images) } })

  async function saved(reply: FastifyReply) {
    await config.brand.refresh()
    return redirectWithNotice(reply, 'marca-guardada', BRAND)
  }

  app.get('/marca', ({ ctx }, reply) => show(reply, ctx))

  app.post('/marca', formRoute(TEXT_CHARACTERS), async ({ ctx, form }, reply) => {
    const given: Given = textFields(form, Object.keys(allFields()))
    const checked = checkTexts(textsOf(given), { dkim: config.dkim, current: { color: null } })
    if ('faults' in checked) {
      const errors = errorsOf(checked.faults, given)
      return show(reply, ctx, { form: 'textos', given, errors, version: versionIn(form) })
    }
    const refused = await saveUnlessOvertaken(ctx, audited('marca.textos'), {
      form,
      given: shownOf({ ...NOTHING_STORED, ...checked.change }),
      stored: async (tx) => shownOf(await lockBrand(tx)),
      save: (tx) => saveBrand(tx, checked.change),
    })
    if (refused) return show(reply, ctx, { form: 'textos', ...refused })
    return saved(reply)
  })

  app.post('/marca/imagenes', fileRoute(IMAGE_SLOTS.length * MAX_IMAGE_BYTES), async ({ ctx, form, files }, reply) => {
    const images: NonNullable<BrandChange['images']> = {}
    const errors: Errors = {}
    for (const slot of IMAGE_SLOTS) {
      const file = files[slot]
      if (isChecked(form, `quitar-${slot}`)) images[slot] = null
      if (!file) continue
      const image = await readImage(slot, file)
      if ('code' in image) errors[slot] = [faultText(image)]
      else images[slot] = image
    }
    if (Object.keys(images).length === 0 && Object.keys(errors).length === 0) errors._ = [t('marca.images.none')]
    if (Object.keys(errors).length > 0) return show(reply, ctx, { form: 'imagenes', errors })
    await ctx.change(audited('marca.imagenes'), (tx) => saveBrand(tx, { images }))
    return saved(reply)
  })
}

const errorsOf = (faults: BrandFault[], given: Given): Errors =>
  faultsInOrder(
    Object.fromEntries(faults.map((fault) => [fieldOf(fault, given), [faultText(fault)]])),
    Object.keys(allFields()),
  )

interface RefusedBrand extends Partial<Refused> {
  form?: 'textos' | 'imagenes'
}

/** `brand` is what is in force, with defaults. */
const brandPage = (
  ctx: ConsoleContext,
  stored: StoredBrand,
  brand: Brand,
  { form, errors, ...refused }: RefusedBrand,
) => (
  <ConsolePage ctx={ctx} title={t('marca.title')} intro={t('marca.intro')}>
    <TextsForm stored={shownOf(stored)} brand={brand} {...refused} {...(form === 'textos' && errors && { errors })} />
    <Section id="imagenes" title={t('marca.images')}>
      <ImagesForm stored={stored} errors={form === 'imagenes' ? errors : undefined} />
    </Section>
  </ConsolePage>
)

const TextsForm = ({ brand, stored, ...refused }: Partial<Refused> & { brand: Brand; stored: Given }) => (
  <Form
    action={BRAND}
    class="sheet all-optional"
    button={t('marca.save')}
    labels={labelsOf(allFields())}
    {...formState(stored, refused)}
  >
    <Fields fields={withDefaults(textFieldsOfBrand(), brand)} />
    <fieldset>
      <legend>{t('marca.links')}</legend>
      <p class="hint">{t('marca.links.hint')}</p>
      {LINKS.map((number) => (
        <div key={number} class="pair">
          <Fields fields={linkFields(number)} />
        </div>
      ))}
    </fieldset>
  </Form>
)

const ImagesForm = ({ stored, errors }: { stored: StoredBrand; errors: Errors | undefined }) => (
  <Form action={`${BRAND}/imagenes`} button={t('marca.images.save')} errors={errors} withFiles>
    <p class="hint">{t('marca.images.hint')}</p>
    {IMAGE_SLOTS.map((slot) => (
      <ImageField key={slot} slot={slot} image={stored.images[slot]} />
    ))}
  </Form>
)

function ImageField({ slot, image }: { slot: ImageSlot; image: BrandImage | undefined }) {
  const name = t(`marca.image.${slot}`)
  return (
    <>
      <Field
        name={slot}
        label={name}
        hint={t(`marca.image.${slot}.hint`)}
        optional
        more={{ type: 'file', accept: 'image/png,image/jpeg,image/webp' }}
      />
      {image && (
        <div class={slot === 'logoOscuro' ? 'brand-image on-dark-ground' : 'brand-image'}>
          <img
            src={imagePath(image)}
            alt={t('marca.image.current', { name, width: image.ancho, height: image.alto })}
            width={image.ancho}
            height={image.alto}
          />
          <Tick
            name={`quitar-${slot}`}
            label={t('marca.image.remove', { name })}
            hint={t('marca.image.remove.hint')}
            checked={false}
          />
        </div>
      )}
    </>
  )
}
