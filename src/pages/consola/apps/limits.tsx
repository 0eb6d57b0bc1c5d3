import { type App, type AppLimits, LIMIT_BOUNDS } from '../../../apps/app.ts'
import type { Errors } from '../../../http/problems.ts'
import { FaultList, Field } from '../../fields.tsx'
import { line } from '../../form.ts'
import { inFigures } from '../../format.tsx'
import { appHref } from './list.tsx'
import type { Refused } from './one-page.tsx'

/** What apps may ask where nothing else was said. */
export type Everyone = { [Name in keyof AppLimits]: number }

/** The fields. */
const FIELDS: Record<keyof AppLimits, { name: string; label: string; unit: string }> = {
  ratePerSecond: { name: 'PorSegundo', label: 'Solicitudes por segundo', unit: 'por segundo' },
  rateBurst: { name: 'Rafaga', label: 'Ráfaga', unit: 'de una vez' },
  invitesPerDay: { name: 'Invitaciones', label: 'Invitaciones por día', unit: 'en 24 horas' },
}
const NAMES = Object.keys(FIELDS) as (keyof AppLimits)[]

/** What the app may ask; what is left empty is as for everyone. */
export const Limits = ({ app, everyone, refused }: { app: App; everyone: Everyone; refused: Refused | undefined }) => (
  <section id="limites">
    <h2>Límites</h2>
    <form method="post" action={`${appHref(app)}/limites`} class="sheet limited" novalidate>
      <FaultList errors={refused?.errors} />
      <p class="hint">Vacío: como todas las apps. Los cambios rigen en todas partes en un segundo.</p>
      <div class="fields-beside">
        {NAMES.map((key) => {
          const { name, label, unit } = FIELDS[key]
          return (
            <Field
              key={key}
              name={name}
              label={label}
              hint={`Todas: ${inFigures(everyone[key])} ${unit}.`}
              value={refused?.given[name] ?? app.limits[key]?.toString()}
              errors={refused?.errors}
              more={{ inputmode: 'numeric', autocomplete: 'off', maxlength: 9, required: false }}
            />
          )
        })}
      </div>
      <button type="submit">Guardar los límites</button>
    </form>
  </section>
)

/** The limits that a form says, or what is wrong with it. */
export function limitsIn(form: URLSearchParams): AppLimits | { given: Record<string, string>; errors: Errors } {
  const given = Object.fromEntries(NAMES.map((key) => [FIELDS[key].name, line(form, FIELDS[key].name)]))
  const errors: Errors = {}
  const limits = {} as AppLimits
  for (const key of NAMES) {
    const { name } = FIELDS[key]
    const { least, most } = LIMIT_BOUNDS[key]
    const text = (given[name] ?? '').replaceAll('.', '')
    limits[key] = text === '' ? null : Number(text)
    if (text !== '' && (!/^\d{1,7}$/.test(text) || Number(text) < least || Number(text) > most))
      errors[name] = [`Debe ser un número entre ${inFigures(least)} y ${inFigures(most)}, o quedar vacío.`]
  }
  return Object.keys(errors).length > 0 ? { given, errors } : limits
}
