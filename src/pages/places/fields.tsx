import type { Ciudad } from '../../catalogue/load.ts'
import type { Errors } from '../../http/problems.ts'
import { Field, fieldId, Select } from '../fields.tsx'
import { CityOptions } from '../suggestions/routes.tsx'
import type { Candidate, WrittenPlace } from './place.ts'

/** The labels of the fields, on the page and in errors. */
export const PLACE_LABELS = { Region: 'Provincia o región', Ciudad: 'Ciudad' }

const SUGGEST = { 'hx-get': '/sugerencias/ciudades', 'hx-target': '#ciudades' }

export interface PlaceFieldsProps {
  values: WrittenPlace
  regions: readonly string[]
  /** The cities offered before anybody types. */
  cities: readonly Ciudad[]
  errors?: Errors | undefined
  candidates?: readonly Candidate[]
}

/** Where something is: a region from the list, and a city that is suggested as one types. Needs the script to suggest. */
export const PlaceFields = ({ values, regions, cities, errors, candidates = [] }: PlaceFieldsProps) => (
  <>
    <Select
      name="Region"
      label={PLACE_LABELS.Region}
      value={values.Region}
      errors={errors}
      choices={regions}
      placeholder="Elija una"
      optional
      more={{ autocomplete: 'address-level1', ...SUGGEST, 'hx-trigger': 'change' }}
    />
    <Field
      name="Ciudad"
      label={PLACE_LABELS.Ciudad}
      hint="Empiece a escribir y elija de la lista, o escríbala entera."
      value={values.Ciudad}
      errors={errors}
      optional
      more={{
        autocomplete: 'address-level2',
        list: 'ciudades',
        maxlength: 200,
        ...SUGGEST,
        'hx-trigger': 'input changed delay:150ms',
        'hx-sync': 'this:replace', // an older answer never covers a newer one
        'hx-include': `#${fieldId('Region')}`,
      }}
    >
      <datalist id="ciudades">
        <CityOptions cities={cities} />
      </datalist>
      <Candidates candidates={candidates} typed={values.Ciudad} />
    </Field>
  </>
)

/** What came near a city that we do not know, or lies elsewhere, to be chosen with one key. */
function Candidates({ candidates, typed }: { candidates: readonly Candidate[]; typed: string }) {
  if (candidates.length === 0) return null
  return (
    <fieldset class="choices">
      <legend>{candidates.length === 1 ? '¿Es esta?' : '¿Es alguna de estas?'}</legend>
      {candidates.map(({ href, title }, at) => (
        <label key={href} for={`ciudad-${at}`}>
          <input type="radio" id={`ciudad-${at}`} name="Ciudad" value={href} /> {title}
        </label>
      ))}
      <label for="ciudad-ninguna">
        <input type="radio" id="ciudad-ninguna" name="Ciudad" value="" checked />{' '}
        {candidates.length === 1 ? 'No' : 'Ninguna'}: la corrijo arriba
        {typed && <span class="visually-hidden"> (dice {typed})</span>}
      </label>
    </fieldset>
  )
}
