import { addDays, dayOf, isDay } from '../../../http/dates.ts'
import type { Errors } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { findPaquete, lockContract, type Paquete, type PaqueteToday } from '../../../resources/agencias/paquetes.ts'
import { applyPaquete } from '../../../resources/publicaciones/fit-to-paquete.ts'
import type { Exposicion } from '../../../resources/publicaciones/publicacion.ts'
import { Form, Tick } from '../../fields.tsx'
import { formRoute, isChecked } from '../../form.ts'
import { Fields, type FormField, labelsOf, type Refused, readFields } from '../../form-fields.tsx'
import { formState, saveUnlessOvertaken, versionIn } from '../../overtaken.ts'
import { page } from '../../page.ts'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { assertMayAct, type ConsoleContext, ConsolePage, type ConsolePages, MAX_NAME, nameField } from '../context.tsx'
import { agenciaAt, consolaAgenciaHref } from './list.tsx'

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
    const stored = shownPaquete(await findPaquete(store, agencia.id, config.timeZone))
    const today = dayOf(clock(), config.timeZone)
    const given = { ...stored, Desde: stored.Desde || today, Hasta: stored.Hasta || addDays(today, YEAR_DAYS) }
    assertMayAct(ctx)
    return page(reply, paquetePage({ ctx, agencia, ...formState(stored, { given }) }))
  })

  app.post<ById>('/agencias/:id/paquete', formRoute(MAX_NAME + 100), async ({ ctx, params, form }, reply) => {
    const agencia = await agenciaAt(deps, params.id)
    const consultasDeCatalogo = isChecked(form, 'ConsultasDeCatalogo')
    const { given, errors } = readFields(paqueteFields(), form, endFault)
    if (errors) {
      const shown = { ...given, ConsultasDeCatalogo: tick(consultasDeCatalogo) }
      return page(reply, paquetePage({ ctx, agencia, given: shown, errors, version: versionIn(form) }), 400)
    }
    const { Nombre: nombre, Desde: desde, Hasta: hasta } = given
    const alta = countIn(given.Alta)
    const media = countIn(given.Media)
    const baja = countIn(given.Baja)
    const contracted = { nombre, desde, hasta, alta, media, baja, consultasDeCatalogo }
    const refused = await saveUnlessOvertaken(
      ctx,
      { act: 'agencia.paquete', subject: agencia.adminMail, detail: contracted },
      {
        form,
        given: shownPaquete(contracted),
        stored: async (tx) => shownPaquete(await lockContract(tx, agencia.id, config.timeZone)),
        save: (tx) => applyPaquete({ ...deps, store: tx }, agencia, contracted),
      },
    )
    if (refused) return page(reply, paquetePage({ ctx, agencia, ...refused }), 409)
    return redirectWithNotice(reply, 'agencia-paquete', `${consolaAgenciaHref(agencia)}#paquete`)
  })
}

const endFault = ({ Desde, Hasta }: Given): Errors =>
  isDay(Desde) && isDay(Hasta) && Hasta < Desde ? { Hasta: [t('consola.package.endFault')] } : {}

const tick = (checked: boolean): string => (checked ? 'si' : '')

/** A package as its form shows it; without days where there never was one. */
const shownPaquete = (paquete: Paquete | PaqueteToday) => ({
  Nombre: paquete.nombre ?? '',
  Desde: paquete.desde ?? '',
  Hasta: paquete.hasta ?? '',
  Alta: String(paquete.alta),
  Media: String(paquete.media),
  Baja: String(paquete.baja),
  ConsultasDeCatalogo: tick(paquete.consultasDeCatalogo),
})

interface Props extends Omit<Refused<keyof ReturnType<typeof shownPaquete>>, 'errors'> {
  ctx: ConsoleContext
  agencia: Agencia
  errors?: Errors
}

const paquetePage = ({ ctx, agencia, errors, ...form }: Props) => (
  <ConsolePage
    ctx={ctx}
    title={t('consola.package.title')}
    parentLink={{ href: consolaAgenciaHref(agencia), label: agencia.nombre }}
    intro={t('consola.package.intro')}
  >
    <Form
      action={`${consolaAgenciaHref(agencia)}/paquete`}
      {...form}
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
        checked={form.given.ConsultasDeCatalogo === 'si'}
      />
    </Form>
  </ConsolePage>
)
