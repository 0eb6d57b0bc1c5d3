import type { FastifyReply } from 'fastify'
import { type LegalLink, MAX_LEGAL_LINKS, NAME_CHARACTERS, type StoredBrand } from '../../brand/brand.ts'
import { type BrandFault, type BrandTexts, checkTexts } from '../../brand/check.ts'
import { MIN_CONTRAST } from '../../brand/colour.ts'
import { readBrand, saveBrand } from '../../brand/store.ts'
import type { Errors } from '../../http/problems.ts'
import { EMAIL_INPUT, Form } from '../fields.tsx'
import { faultsInOrder, formRoute, textField, textFields } from '../form.ts'
import { Fields, type FormFields, labelsOf } from '../form-fields.tsx'
import { page } from '../page.ts'
import { type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { type ConsoleContext, ConsolePage, type ConsolePages } from './context.tsx'

const BRAND = '/consola/marca'

const COLOUR_INPUT = { placeholder: '#0b6b5d', maxlength: 7, spellcheck: false, autocapitalize: 'none' } as const
const URL_INPUT = { type: 'url', inputmode: 'url', placeholder: 'https://', maxlength: 300 } as const

const FIELDS = {
  Nombre: {
    label: 'Nombre del mercado',
    hint: 'En todas las páginas y correos.',
    optional: true,
    max: NAME_CHARACTERS,
  },
  Color: {
    label: 'Color',
    hint: 'De enlaces y botones, sobre fondos claros.',
    optional: true,
    more: COLOUR_INPUT,
  },
  ColorOscuro: {
    label: 'Color sobre fondos oscuros',
    hint: 'Sin él usamos uno parecido y más claro.',
    optional: true,
    more: COLOUR_INPUT,
  },
  RemitenteNombre: { label: 'Nombre del remitente de los correos', optional: true, max: NAME_CHARACTERS },
  RemitenteMail: {
    label: 'Dirección del remitente',
    hint: 'El servidor de correo tiene que poder enviar desde ella.',
    optional: true,
    more: EMAIL_INPUT,
  },
  SoporteMail: { label: 'Correo de atención al cliente', optional: true, more: EMAIL_INPUT },
  SoporteUrl: { label: 'Página de atención al cliente', optional: true, more: URL_INPUT },
} as const satisfies FormFields

type Name = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Name[]

const LINKS = Array.from({ length: MAX_LEGAL_LINKS }, (_, at) => at + 1)
const linkFields = (number: number): FormFields => ({
  [`Texto${number}`]: { label: `Enlace ${number}`, optional: true, max: 40 },
  [`Url${number}`]: { label: `Dirección ${number}`, optional: true, more: URL_INPUT },
})
const LABELS = labelsOf({ ...FIELDS, ...Object.assign({}, ...LINKS.map(linkFields)) })

/** Where a fault is shown. */
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

const shownOf = ({ enlaces, images: _, ...texts }: StoredBrand): Given => ({
  ...Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [FIELD_OF[name as keyof BrandTexts], value ?? '']),
  ),
  ...Object.fromEntries(
    enlaces.flatMap(({ texto, url }, at) => [
      [`Texto${at + 1}`, texto],
      [`Url${at + 1}`, url],
    ]),
  ),
})

/** /consola/marca: the marketplace's name, colour, sender, customer service and legal links. */
export function brandRoutes(app: ConsolePages, { store, config }: PageDeps): void {
  async function show(reply: FastifyReply, ctx: ConsoleContext, given?: Given, errors?: Errors) {
    const stored = await readBrand(store)
    return page(reply, brandPage({ ctx, given: given ?? shownOf(stored), errors }), errors ? 400 : 200)
  }

  app.get('/marca', ({ ctx }, reply) => show(reply, ctx))

  app.post('/marca', formRoute(TEXT_CHARACTERS), async ({ ctx, form }, reply) => {
    const given: Given = { ...textFields(form, NAMES), ...linksIn(form) }
    const checked = checkTexts(textsOf(given), { dkim: config.dkim, current: { color: null } })
    if ('faults' in checked) return show(reply, ctx, given, errorsOf(checked.faults))
    await store.transaction(async (tx) => {
      await saveBrand(tx, checked.change)
      await ctx.audit('marca.textos', 'marca', { nombre: checked.change.nombre }, tx)
    })
    await config.brand.refresh()
    return redirectWithNotice(reply, 'marca-guardada', BRAND)
  })
}

const TEXT_CHARACTERS = 2 * NAME_CHARACTERS + 4 * 300 + MAX_LEGAL_LINKS * 340

const linksIn = (form: URLSearchParams): Given =>
  Object.fromEntries(
    LINKS.flatMap((number) => [`Texto${number}`, `Url${number}`]).map((name) => [name, textField(form, name)]),
  )

function textsOf(given: Given): BrandTexts {
  const text = (name: string) => given[name] ?? ''
  const enlaces: LegalLink[] = LINKS.map((number) => ({ texto: text(`Texto${number}`), url: text(`Url${number}`) }))
  return {
    ...{ nombre: text('Nombre'), color: text('Color'), colorOscuro: text('ColorOscuro') },
    ...{ remitenteNombre: text('RemitenteNombre'), remitenteMail: text('RemitenteMail') },
    ...{ soporteMail: text('SoporteMail'), soporteUrl: text('SoporteUrl') },
    enlaces: enlaces.filter(({ texto, url }) => texto || url),
  }
}

const errorsOf = (faults: BrandFault[]): Errors =>
  faultsInOrder(Object.fromEntries(faults.map((fault) => [FIELD_OF[fault.field], [messageOf(fault)]])), NAMES)

const ratio = (value: number) => value.toFixed(2).replace('.', ',')

function messageOf(fault: BrandFault): string {
  switch (fault.code) {
    case 'largo':
      return `Puede tener hasta ${fault.max} caracteres.`
    case 'nombre':
      return 'Escriba un nombre con letras o números.'
    case 'color':
      return 'Escriba un color como #0b6b5d.'
    case 'sin-color':
      return 'Elija también el color sobre fondos claros.'
    case 'contraste': {
      const use = fault.use === 'boton' ? 'como botón con letras' : 'como texto sobre'
      return `No se lee bien: ${use} ${fault.against} el contraste es ${ratio(fault.ratio)}:1 y hace falta ${ratio(MIN_CONTRAST)}:1. El más parecido que se lee bien es ${fault.nearest}.`
    }
    case 'correo':
      return 'Escriba una dirección de correo, como hola@mercado.com.'
    case 'dkim':
      return `Los correos se firman (DKIM) para ${fault.domain}: use una dirección de ese dominio.`
    case 'https':
      return 'Escriba una dirección que empiece con https://.'
    case 'enlaces':
      return `Puede haber hasta ${MAX_LEGAL_LINKS} enlaces.`
    case 'enlace':
      return 'Cada enlace lleva un texto de hasta 40 caracteres y una dirección que empiece con https://.'
  }
}

interface BrandPageProps {
  ctx: ConsoleContext
  given: Given
  errors: Errors | undefined
}

const brandPage = ({ ctx, given, errors }: BrandPageProps) => (
  <ConsolePage
    ctx={ctx}
    title="Marca"
    section={BRAND}
    faulty={Boolean(errors)}
    intro="Cómo se presenta el mercado en las páginas, los correos y la documentación. Lo que deje vacío queda como viene."
  >
    <Form action={BRAND} button="Guardar" errors={errors} labels={LABELS}>
      <Fields fields={FIELDS} given={given} errors={errors} />
      <fieldset>
        <legend>Enlaces legales</legend>
        <p class="hint">Al pie de las páginas y los correos. El primero es el de los términos y condiciones.</p>
        {LINKS.map((number) => (
          <div key={number} class="pair">
            <Fields fields={linkFields(number)} given={given} errors={errors} />
          </div>
        ))}
      </fieldset>
    </Form>
  </ConsolePage>
)
