import type { Errors } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import { DIAS, type Sucursal, type SucursalUpsert, sucursalData } from '../../../resources/sucursales/sucursal.ts'
import { Form, type StoredValues } from '../../fields.tsx'
import { faultsInOrder, textFields } from '../../form.ts'
import { Fields, type FormFields, labelsOf } from '../../form-fields.tsx'
import { changedValues } from '../../overtaken.ts'
import { agencyFields, PLACE_LABELS, PlaceFields, type PlaceFieldsProps } from '../../places/fields.tsx'
import { plainNumber } from '../contact.ts'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { changedHours, formatDia, HoursFields, type HoursValues, hoursBody, hoursIn, presentHours } from './hours.tsx'

/** The fields of the form, in the order of the page: those of `SucursalUpsert`, the hours apart. */
const FIELDS = ['Nombre', 'Telefono', 'WhatsApp', 'Email', 'Region', 'Ciudad', 'Direccion', 'CodigoPostal'] as const

type SucursalValues = Record<(typeof FIELDS)[number], string> & { hours: HoursValues }

/** The values of a branch; a new one begins with the agency's place. */
export const shownSucursal = (sucursal: Partial<Sucursal>): SucursalValues => {
  const data: Record<string, unknown> = sucursalData(sucursal)
  const texts = Object.fromEntries(FIELDS.map((name) => [name, data[name] ?? '']))
  return { ...(texts as Omit<SucursalValues, 'hours'>), hours: presentHours(sucursal.horarios ?? null) }
}

export const valuesIn = (form: URLSearchParams): SucursalValues => ({
  ...textFields(form, FIELDS),
  hours: hoursIn(form),
})

/** The form as `SucursalUpsert`: blank is null. Half a shift is in `errors`. */
export function upsertOf(values: SucursalValues): { body: SucursalUpsert; errors: Errors } {
  const given = { ...values, WhatsApp: plainNumber(values.WhatsApp) }
  const { horarios, errors } = hoursBody(values.hours)
  const texts = Object.fromEntries(FIELDS.map((name) => [name, given[name] || null]))
  return { body: { ...texts, Nombre: given.Nombre, Horarios: horarios }, errors }
}

/** The stored values that differ from the form, after somebody else changed the branch. Those of days are by their error's name. */
export const changedSucursal = (typed: SucursalValues, now: Sucursal): StoredValues => ({
  ...changedValues(texts(typed), texts(shownSucursal(now))),
  ...changedHours(hoursBody(typed.hours).horarios, now.horarios),
})

/** Errors in the order of the page, the hours last; an error of one time is shown at its day. */
export function inSucursalOrder(errors: Errors): Errors {
  const ofDays = Object.entries(errors).map(([name, messages]) => {
    const [, day] = /^(Horarios\.\w+)\[/.exec(name) ?? []
    return day ? ([day, [t('cuenta.hours.times')]] as const) : ([name, messages] as const)
  })
  return faultsInOrder(Object.fromEntries(ofDays), [...FIELDS, ...DIAS.map((dia) => `Horarios.${dia}`)])
}

interface SucursalProps extends PlaceFieldsProps {
  ctx: AgencyContext
  /** Undefined for a new branch. */
  id: number | undefined
  /** The version that was read: a form with an older one is not saved. */
  version: string | undefined
  values: SucursalValues
  now?: StoredValues | undefined
  errors?: Errors | undefined
}

const branch = () => {
  const { Telefono, WhatsApp, Email } = agencyFields()
  return {
    Nombre: {
      label: t('cuenta.branches.name'),
      hint: t('cuenta.branches.nameHint'),
      max: 120,
      more: { autocomplete: 'off' },
    },
    Telefono,
    WhatsApp,
    Email,
  } satisfies FormFields
}

const address = () => {
  const { Direccion, CodigoPostal } = agencyFields()
  return { Direccion, CodigoPostal }
}

const labels = () => ({
  ...labelsOf({ ...branch(), ...address() }),
  ...PLACE_LABELS,
  ...Object.fromEntries(DIAS.map((dia) => [`Horarios.${dia}`, formatDia(dia)])),
})

export const sucursalPage = ({ ctx, id, version, values, now, errors, ...place }: SucursalProps) => (
  <AgencyPage
    ctx={ctx}
    parentLink={{ href: '/cuenta/sucursales', label: t('cuenta.nav.sucursales') }}
    title={id === undefined ? t('cuenta.branches.add') : values.Nombre || t('cuenta.branches.one')}
    script
  >
    <Form
      action={`/cuenta/sucursales/${id ?? 'nueva'}`}
      class="sheet measure wide"
      given={texts(values)}
      errors={errors}
      now={now}
      version={version}
      labels={labels()}
    >
      <fieldset>
        <legend>{t('cuenta.branches.the')}</legend>
        <Fields fields={branch()} />
      </fieldset>
      <fieldset>
        <legend>{t('cuenta.data.place')}</legend>
        <PlaceFields values={values} {...place} />
        <Fields fields={address()} />
      </fieldset>
      <HoursFields hours={values.hours} />
      {/* Save comes first: Enter submits with it. */}
      <div class="row">
        <button type="submit">{t('cuenta.save')}</button>
        <button type="submit" name="Acto" value="copiar" class="secondary">
          {t('cuenta.branches.likeMonday')}
        </button>
      </div>
    </Form>
  </AgencyPage>
)

const texts = ({ hours: _, ...values }: SucursalValues) => values
