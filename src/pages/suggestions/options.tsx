import type { Ciudad } from '../../catalogue/load.ts'
import { fold } from '../../catalogue/text.ts'

/**
 * Cities for a `datalist`. Browsers show only those whose value or label holds what was typed, letter by letter, so a
 * name with accents is labelled without them.
 */
export const CityOptions = ({ cities }: { cities: readonly Ciudad[] }) => (
  <>
    {cities.map((city) => (
      <option key={city.id} value={city.nombre}>
        {labelOf(city)}
      </option>
    ))}
  </>
)

function labelOf({ nombre, departamento, region }: Ciudad): string {
  const plain = fold(nombre) === nombre.toLowerCase() ? [] : [fold(nombre)]
  const place = departamento && departamento !== nombre ? departamento : region.nombre
  return [...plain, place].join(' · ')
}
