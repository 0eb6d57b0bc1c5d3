import { overHttp } from '../over-http.ts'
import { noisyPlaces } from './noisy-places.ts'

const BUENOS_AIRES = 2 // its id in the catalogue, stable for ever

export const ciudadesOfProvince = overHttp(
  {
    name: 'ciudades',
    title: 'All cities of Buenos Aires, signed',
    targets: [`/v3/ciudades?region=${BUENOS_AIRES}`],
    target: 0.5,
  },
  { usual: false },
)

export const ciudadesBestmatch = overHttp(
  {
    name: 'bestmatch',
    title: 'City bestmatch, 200 noisy names, signed',
    targets: noisyPlaces(200).map(
      ({ state, city }) => `/v3/ciudades/bestmatch?state=${encodeURIComponent(state)}&city=${encodeURIComponent(city)}`,
    ),
    target: 0.5,
    mayRefuse: true,
  },
  { usual: true },
)
