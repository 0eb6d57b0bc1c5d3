import type { InputHTMLAttributes } from 'preact'
import type { Ciudad } from '../../../catalogue/load.ts'
import type { Errors } from '../../../http/problems.ts'
import { DIAS } from '../../../resources/sucursales/sucursal.ts'
import { FaultList, Field } from '../../fields.tsx'
import { PLACE_LABELS, PlaceFields } from '../../places/fields.tsx'
import type { Candidate } from '../../places/values.ts'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { DAY_LABELS, HoursFields } from './hours.tsx'
import type { BranchValues } from './values.ts'

interface Props {
  ctx: AgencyContext
  /** Which one; none while it is new. */
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

/** One place of the agency: what it is called, how to reach it, where it is and when it is open. */
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
          {text('Email', {
            type: 'email',
            inputmode: 'email',
            autocomplete: 'off',
            autocapitalize: 'none',
            maxlength: 254,
          })}
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
