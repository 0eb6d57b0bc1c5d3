import { addDays, dayOf, isDay } from '../../../http/dates.ts'
import type { Errors } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { findPaquete } from '../../../resources/agencias/paquetes.ts'
import { applyPaquete } from '../../../resources/publicaciones/fit-to-paquete.ts'
import type { Exposicion } from '../../../resources/publicaciones/publicacion.ts'
import { Form, Tick } from '../../fields.tsx'
import { formRoute, isChecked } from '../../form.ts'
import { Fields, type FormField, labelsOf, type Refused, readFields } from '../../form-fields.tsx'
import { page } from '../../page.ts'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { assertMayAct, type ConsoleContext, ConsolePage, type ConsolePages, MAX_NAME, nameField } from '../context.tsx'
import { AGENCIAS, agenciaAt, consolaAgenciaHref } from './list.tsx'

const MAX_PLACES = 1_000_000
const YEAR_DAYS = 365

const dayField = (label: string): FormField => ({
  label,
  more: { type: 'date' },
  missing: t('consola.package.day'),
  check: (day) => !isDay(day) && t('consola.package.day'),
})

const placesField = (exposure: Exposicion): FormField => ({
  label: t(`comun.package.exposure.${exposure}`),
  more: { inputmode: 'numeric', maxlength: 7, autocomplete: 'off' },
  check: (text) =>
    !(/^[\d.]{1,9}$/.test(text) && countIn(text) <= MAX_PLACES) && t('consola.package.number', { max: MAX_PLACES }),
})

const countIn = (text: string): number => Number(text.replaceAll('.', ''))

const nameFields = () => ({ Nombre: nameField() })
const dayFields = () => ({
  Desde: { ...dayField(t('consola.head.since')), hint: t('consola.package.since.hint') },
  Hasta: dayField(t('consola.package.until')),
})
const placeFields = () => ({ Alta: placesField('Alta'), Media: placesField('Media'), Baja: placesField('Baja') })
const paqueteFields = () => ({ ...nameFields(), ...dayFields(), ...placeFields() })

type Given = Refused<keyof ReturnType<typeof paqueteFields>>['given']

/** /consola/agencias/{id}/paquete: what an agency has contracted. */
export function paqueteRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, clock, config } = deps

  app.get<ById>('/agencias/:id/paquete', async ({ ctx, params }, reply) => {
    const agencia = await agenciaAt(deps, params.id)
    const { nombre, desde, hasta, alta, media, baja, ...rest } = await findPaquete(store, agencia.id, config.timeZone)
    const today = dayOf(clock(), config.timeZone)
    const given = {
      Nombre: nombre ?? '',
      Desde: desde ?? today,
      Hasta: hasta ?? addDays(today, YEAR_DAYS),
      Alta: String(alta),
      Media: String(media),
      Baja: String(baja),
    }
    assertMayAct(ctx)
    return page(reply, paquetePage({ ctx, agencia, given, catalogue: rest.consultasDeCatalogo }))
  })

  app.post<ById>('/agencias/:id/paquete', formRoute(MAX_NAME + 100), async ({ ctx, params, form }, reply) => {
    const agencia = await agenciaAt(deps, params.id)
    const consultasDeCatalogo = isChecked(form, 'ConsultasDeCatalogo')
    const { given, errors } = readFields(paqueteFields(), form, endFault)
    if (errors) return page(reply, paquetePage({ ctx, agencia, given, catalogue: consultasDeCatalogo, errors }), 400)
    const { Nombre: nombre, Desde: desde, Hasta: hasta } = given
    const alta = countIn(given.Alta)
    const media = countIn(given.Media)
    const baja = countIn(given.Baja)
    const contracted = { nombre, desde, hasta, alta, media, baja, consultasDeCatalogo }
    await ctx.change({ act: 'agencia.paquete', subject: agencia.adminMail, detail: contracted }, (tx) =>
      applyPaquete({ ...deps, store: tx }, agencia, contracted),
    )
    return redirectWithNotice(reply, 'agencia-paquete', `${consolaAgenciaHref(agencia)}#paquete`)
  })
}

const endFault = ({ Desde, Hasta }: Given): Errors =>
  isDay(Desde) && isDay(Hasta) && Hasta < Desde ? { Hasta: [t('consola.package.endFault')] } : {}

interface Props {
  ctx: ConsoleContext
  agencia: Agencia
  given: Given
  catalogue: boolean
  errors?: Errors
}

const paquetePage = ({ ctx, agencia, given, catalogue, errors }: Props) => (
  <ConsolePage
    ctx={ctx}
    title={t('consola.package.title')}
    section={AGENCIAS}
    parentLink={{ href: consolaAgenciaHref(agencia), label: agencia.nombre }}
    faulty={errors !== undefined}
    intro={t('consola.package.intro')}
  >
    <Form
      action={`${consolaAgenciaHref(agencia)}/paquete`}
      given={given}
      errors={errors}
      labels={labelsOf(paqueteFields())}
      button={t('consola.package.save')}
    >
      <Fields fields={nameFields()} />
      <div class="fields-beside">
        <Fields fields={dayFields()} />
      </div>
      <fieldset>
        <legend>{t('consola.package.places')}</legend>
        <div class="fields-beside">
          <Fields fields={placeFields()} />
        </div>
      </fieldset>
      <Tick
        name="ConsultasDeCatalogo"
        label={t('consola.package.catalogue')}
        hint={t('consola.package.catalogue.hint')}
        checked={catalogue}
      />
    </Form>
  </ConsolePage>
)
