import type { Ciudad } from '../../catalogue/load.ts'
import { labels, t } from '../../i18n/messages.tsx'
import { EMAIL_INPUT, Field, fieldId, Select } from '../fields.tsx'
import type { FormFields } from '../form-fields.tsx'
import { ON_ERROR } from '../page.ts'
import { CityOptions } from '../sugerencias/routes.tsx'
import type { NearPlace, WrittenPlace } from './place.ts'

export const PLACE_LABELS = labels({ Region: 'comun.field.region', Ciudad: 'comun.field.city' })

/** The last request of both fields counts. It waits for one that runs: htmx logs an error for each it aborts. */
const SUGGEST = {
  'hx-get': '/sugerencias/ciudades',
  'hx-target': '#ciudades',
  'hx-sync': '#ciudades:queue last',
  ...ON_ERROR,
}

export interface PlaceFieldsProps {
  values: WrittenPlace
  regions: readonly string[]
  /** The cities offered before anybody types. */
  cities: readonly Ciudad[]
  candidates?: readonly NearPlace[]
}

/** Where something is: a region from the list, and a city that is suggested as one types. Needs the script to suggest. */
export const PlaceFields = ({ values, regions, cities, candidates = [] }: PlaceFieldsProps) => (
  <>
    <Select
      name="Region"
      label={PLACE_LABELS.Region}
      value={values.Region}
      choices={regions}
      placeholder={t('comun.field.chooseRegion')}
      optional
      more={{ autocomplete: 'address-level1', ...SUGGEST, 'hx-trigger': 'change' }}
    />
    <Field
      name="Ciudad"
      label={PLACE_LABELS.Ciudad}
      hint={t('comun.field.cityHint')}
      value={values.Ciudad}
      optional
      more={{
        autocomplete: 'address-level2',
        list: 'ciudades',
        maxlength: 200,
        ...SUGGEST,
        'hx-trigger': 'input changed delay:150ms',
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

const TELEPHONE = { type: 'tel', inputmode: 'tel' } as const

export const agencyFields = () =>
  ({
    Nombre: { label: t('comun.field.tradeName'), max: 120, more: { autocomplete: 'organization' } },
    RazonSocial: { label: t('comun.field.legalName'), optional: true, max: 120, more: { autocomplete: 'off' } },
    IdFiscal: { label: t('comun.field.taxId'), optional: true, max: 20, more: { autocomplete: 'off' } },
    Telefono: {
      label: t('comun.field.telephone'),
      hint: t('comun.field.telephoneHint'),
      optional: true,
      max: 20,
      more: { ...TELEPHONE, autocomplete: 'tel' },
    },
    WhatsApp: {
      label: t('comun.field.whatsapp'),
      hint: t('comun.field.whatsappHint'),
      optional: true,
      max: 30,
      more: { ...TELEPHONE, autocomplete: 'off' },
    },
    SitioWeb: {
      label: t('comun.field.website'),
      optional: true,
      max: 200,
      more: { type: 'url', inputmode: 'url', autocomplete: 'url', autocapitalize: 'none' },
    },
    Email: {
      label: t('comun.field.email'),
      optional: true,
      max: 254,
      more: { ...EMAIL_INPUT, autocomplete: 'off' },
    },
    Direccion: {
      label: t('comun.field.address'),
      optional: true,
      max: 200,
      more: { autocomplete: 'street-address' },
    },
    CodigoPostal: {
      label: t('comun.field.postalCode'),
      optional: true,
      max: 20,
      more: { autocomplete: 'postal-code' },
    },
  }) satisfies FormFields

/** What came near a city that we do not know, or lies elsewhere, to be chosen with one key. */
function Candidates({ candidates, typed }: { candidates: readonly NearPlace[]; typed: string }) {
  if (candidates.length === 0) return null
  return (
    <fieldset class="choices">
      <legend>{t('comun.place.isThis', { count: candidates.length })}</legend>
      {candidates.map(({ href, title }, at) => (
        <label key={href} for={`ciudad-${at}`}>
          <input type="radio" id={`ciudad-${at}`} name="Ciudad" value={href} /> {title}
        </label>
      ))}
      <label for="ciudad-ninguna">
        <input type="radio" id="ciudad-ninguna" name="Ciudad" value="" checked />{' '}
        {t('comun.place.none', { count: candidates.length })}
        {typed && <span class="visually-hidden"> {t('comun.place.typed', { text: typed })}</span>}
      </label>
    </fieldset>
  )
}
