import type { InputHTMLAttributes } from 'preact'
import type { Catalogue, Ciudad } from '../../../catalogue/load.ts'
import type { Errors } from '../../../http/problems.ts'
import { DIAS, type Sucursal, type SucursalUpsert } from '../../../resources/sucursales/sucursal.ts'
import { EMAIL_INPUT, FaultList, Field } from '../../fields.tsx'
import { faultsInOrder, linesOf } from '../../form.ts'
import { PLACE_LABELS, PlaceFields } from '../../places/fields.tsx'
import { type Candidate, withChosen } from '../../places/place.ts'
import { plainNumber } from '../contact.ts'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { DAY_LABELS, HoursFields, type HoursValues, hoursBody, hoursIn, presentHours } from './hours.tsx'

/** The fields of the form, in the order of the page: those of `SucursalUpsert`, the hours apart. */
const FIELDS = ['Nombre', 'Telefono', 'WhatsApp', 'Email', 'Region', 'Ciudad', 'Direccion', 'CodigoPostal'] as const

export type BranchValues = Record<(typeof FIELDS)[number], string> & { hours: HoursValues }

/** The values of a branch; a new one begins with the agency's place. */
export const present = (place: Partial<Sucursal> & Pick<Sucursal, 'region' | 'ciudad'>): BranchValues => ({
  Nombre: place.nombre ?? '',
  Telefono: place.telefono ?? '',
  WhatsApp: place.whatsapp ?? '',
  Email: place.email ?? '',
  Region: place.region ?? '',
  Ciudad: place.ciudad ?? '',
  Direccion: place.direccion ?? '',
  CodigoPostal: place.codigoPostal ?? '',
  hours: presentHours(place.horarios ?? null),
})

export const posted = (form: URLSearchParams, catalogue: Catalogue): BranchValues =>
  withChosen({ ...linesOf(form, FIELDS), hours: hoursIn(form) }, catalogue)

/** The form as `SucursalUpsert`: blank is null. Half a shift is in `errors`. */
export function bodyOf(values: BranchValues): { body: SucursalUpsert; errors: Errors } {
  const given = { ...values, WhatsApp: plainNumber(values.WhatsApp) }
  const { horarios, errors } = hoursBody(values.hours)
  const texts = Object.fromEntries(FIELDS.map((name) => [name, given[name] || null]))
  return { body: { ...texts, Nombre: given.Nombre, Horarios: horarios }, errors }
}

/** Errors in the order of the page, the hours last; an error of one time is shown at its day. */
export function inOrder(errors: Errors): Errors {
  const ofDays = Object.entries(errors).map(([name, messages]) => {
    const [, day] = /^(Horarios\.\w+)\[/.exec(name) ?? []
    return day ? ([day, ['Ponga horas del día, como 09:00.']] as const) : ([name, messages] as const)
  })
  return faultsInOrder(Object.fromEntries(ofDays), [...FIELDS, ...DIAS.map((dia) => `Horarios.${dia}`)])
}

interface Props {
  ctx: AgencyContext
  /** Undefined for a new branch. */
  id: number | undefined
  /** The version that was read: a form with an older one is not saved. */
  version: string | undefined
  values: BranchValues
  regions: readonly string[]
  cities: readonly Ciudad[]
  errors?: Errors | undefined
  candidates?: readonly Candidate[] | undefined
}

const LABELS = {
  Nombre: 'Nombre de la sucursal',
  Telefono: 'Teléfono',
  WhatsApp: 'WhatsApp',
  Email: 'Correo',
  ...PLACE_LABELS,
  Direccion: 'Dirección',
  CodigoPostal: 'Código postal',
}

const FAULT_LABELS = { ...LABELS, ...Object.fromEntries(DIAS.map((dia) => [`Horarios.${dia}`, DAY_LABELS[dia]])) }

/** The form of a branch: name, contact, place and opening hours. */
export function branchPage({ ctx, id, version, values, regions, cities, errors, candidates }: Props) {
  const text = (name: keyof typeof LABELS, more: InputHTMLAttributes<HTMLInputElement>, hint?: string) => (
    <Field
      name={name}
      label={LABELS[name]}
      value={values[name]}
      hint={hint}
      errors={errors}
      optional={name !== 'Nombre'}
      more={more}
    />
  )
  const telephone = { type: 'tel', inputmode: 'tel' } as const
  return (
    <AgencyPage
      ctx={ctx}
      section="/cuenta/sucursales"
      above={{ href: '/cuenta/sucursales', label: 'Sucursales' }}
      title={id === undefined ? 'Agregar una sucursal' : values.Nombre || 'Sucursal'}
      faulty={Boolean(errors)}
      script
    >
      <form
        method="post"
        action={id === undefined ? '/cuenta/sucursales/nueva' : `/cuenta/sucursales/${id}`}
        class="sheet measure wide"
        novalidate
      >
        <FaultList errors={errors} labels={FAULT_LABELS} />
        {version && <input type="hidden" name="Version" value={version} />}
        <fieldset>
          <legend>La sucursal</legend>
          {text('Nombre', { autocomplete: 'off', maxlength: 120 }, 'Por ejemplo, Casa central o Local Centro.')}
          {text('Telefono', { ...telephone, autocomplete: 'tel', maxlength: 20 }, 'Con el código de área.')}
          {text('WhatsApp', { ...telephone, autocomplete: 'off', maxlength: 30 }, 'Con + y el código del país.')}
          {text('Email', { ...EMAIL_INPUT, autocomplete: 'off', maxlength: 254 })}
        </fieldset>
        <fieldset>
          <legend>Dónde está</legend>
          <PlaceFields {...{ values, regions, cities, errors }} candidates={candidates ?? []} />
          {text('Direccion', { autocomplete: 'street-address', maxlength: 200 })}
          {text('CodigoPostal', { autocomplete: 'postal-code', maxlength: 20 })}
        </fieldset>
        <HoursFields hours={values.hours} errors={errors} />
        {/* Save comes first: Enter submits with it. */}
        <div class="row">
          <button type="submit">Guardar</button>
          <button type="submit" name="Acto" value="copiar" class="secondary">
            Repetir el lunes de martes a viernes
          </button>
        </div>
      </form>
    </AgencyPage>
  )
}
