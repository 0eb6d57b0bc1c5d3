/** A car of these markets; `usd` is its price when new. */
export type Car = readonly [
  marca: string,
  modelo: string,
  version: string,
  carroceria: string,
  propulsion: string,
  transmision: string,
  usd: number,
  since: number,
  until?: number,
]

// biome-ignore format: a table is read by its columns
export const CARS: readonly Car[] = [
  ['Fiat', 'Cronos', '1.3 Drive', 'Sedán', 'nafta', 'manual', 20_500, 2018],
  ['Fiat', 'Cronos', '1.8 Precision', 'Sedán', 'nafta', 'automatica', 23_500, 2018],
  ['Fiat', 'Toro', '2.0 Volcano 4x4', 'Pick-up', 'diesel', 'automatica', 38_000, 2016],
  ['Fiat', 'Strada', '1.3 Volcano', 'Pick-up', 'nafta', 'manual', 22_000, 2020],
  ['Fiat', 'Palio', '1.4 Attractive', 'Hatchback', 'nafta', 'manual', 13_000, 2012, 2017],
  ['Toyota', 'Hilux', '2.8 SRX 4x4', 'Pick-up', 'diesel', 'automatica', 58_000, 2016],
  ['Toyota', 'Hilux', '2.4 SR 4x2', 'Pick-up', 'diesel', 'manual', 42_000, 2016],
  ['Toyota', 'Corolla', '2.0 XEi', 'Sedán', 'nafta', 'automatica', 33_000, 2014],
  ['Toyota', 'Corolla Cross', '1.8 HEV XEI', 'SUV', 'hibrido', 'automatica', 41_000, 2021],
  ['Toyota', 'Etios', '1.5 XLS', 'Hatchback', 'nafta', 'manual', 17_000, 2014, 2023],
  ['Toyota', 'Yaris', '1.5 XLS', 'Hatchback', 'nafta', 'automatica', 25_000, 2018],
  ['Volkswagen', 'Amarok', '3.0 V6 Extreme', 'Pick-up', 'diesel', 'automatica', 62_000, 2017],
  ['Volkswagen', 'Polo', '1.6 Trendline', 'Hatchback', 'nafta', 'manual', 22_000, 2018],
  ['Volkswagen', 'Gol Trend', '1.6 Trendline', 'Hatchback', 'nafta', 'manual', 15_500, 2012, 2023],
  ['Volkswagen', 'T-Cross', '1.0 TSI Comfortline', 'SUV', 'nafta', 'automatica', 32_000, 2019],
  ['Volkswagen', 'Vento', '1.4 TSI Highline', 'Sedán', 'nafta', 'automatica', 36_000, 2015, 2024],
  ['Peugeot', '208', '1.6 Allure', 'Hatchback', 'nafta', 'manual', 22_500, 2014],
  ['Peugeot', '2008', '1.6 Feline', 'SUV', 'nafta', 'automatica', 30_000, 2016],
  ['Peugeot', '308', '1.6 HDi Allure', 'Hatchback', 'diesel', 'manual', 24_000, 2012, 2021],
  ['Ford', 'Ranger', '3.2 XLT 4x4', 'Pick-up', 'diesel', 'automatica', 52_000, 2013],
  ['Ford', 'EcoSport', '1.5 Titanium', 'SUV', 'nafta', 'manual', 24_000, 2013, 2021],
  ['Ford', 'Focus', '2.0 SE Plus', 'Hatchback', 'nafta', 'automatica', 23_000, 2013, 2019],
  ['Ford', 'Ka', '1.5 SEL', 'Hatchback', 'nafta', 'manual', 15_000, 2016, 2021],
  ['Chevrolet', 'Onix', '1.0T Premier', 'Hatchback', 'nafta', 'automatica', 25_000, 2017],
  ['Chevrolet', 'Tracker', '1.2T LTZ', 'SUV', 'nafta', 'automatica', 32_000, 2015],
  ['Chevrolet', 'S10', '2.8 LTZ 4x4', 'Pick-up', 'diesel', 'automatica', 50_000, 2014],
  ['Chevrolet', 'Cruze', '1.4T LTZ', 'Sedán', 'nafta', 'automatica', 30_000, 2015, 2023],
  ['Renault', 'Sandero', '1.6 Intens', 'Hatchback', 'nafta', 'manual', 18_500, 2014, 2024],
  ['Renault', 'Duster', '1.6 Zen', 'SUV', 'nafta', 'manual', 24_500, 2013],
  ['Renault', 'Kangoo', '1.6 Stepway', 'Utilitario', 'nafta', 'manual', 24_000, 2018],
  ['Renault', 'Alaskan', '2.3 Iconic 4x4', 'Pick-up', 'diesel', 'automatica', 51_000, 2021],
  ['Jeep', 'Renegade', '1.8 Sport', 'SUV', 'nafta', 'automatica', 32_000, 2016],
  ['Jeep', 'Compass', '2.4 Longitude', 'SUV', 'nafta', 'automatica', 43_000, 2017],
  ['Citroën', 'C3', '1.2 Feel', 'Hatchback', 'nafta', 'manual', 20_000, 2013],
  ['Citroën', 'C4 Cactus', '1.6 Shine', 'SUV', 'nafta', 'automatica', 29_000, 2018],
  ['Nissan', 'Kicks', '1.6 Advance', 'SUV', 'nafta', 'automatica', 30_000, 2017],
  ['Nissan', 'Frontier', '2.3 XE 4x4', 'Pick-up', 'diesel', 'automatica', 49_000, 2016],
  ['Honda', 'HR-V', '1.8 EXL', 'SUV', 'nafta', 'automatica', 39_000, 2015],
  ['Honda', 'Civic', '2.0 EXL', 'Sedán', 'nafta', 'automatica', 38_000, 2014, 2022],
]

export const COLOURS = ['Blanco', 'Gris', 'Negro', 'Plata', 'Rojo', 'Azul'] as const

/** The currency, its rough exchange rate to the dollar, and the telephone prefix. */
export type Land = readonly [moneda: string, perDollar: number, telephone: string]

// biome-ignore format: a table is read by its columns
const LANDS: Record<string, Land> = {
  AR: ['ARS', 1_400, '+54 9 341'],
  BO: ['BOB', 7, '+591 7'],
  CL: ['CLP', 950, '+56 9'],
  CO: ['COP', 4_100, '+57 300'],
  CR: ['CRC', 510, '+506 8'],
  DO: ['DOP', 60, '+1 809'],
  EC: ['USD', 1, '+593 9'],
  GT: ['GTQ', 7.7, '+502 5'],
  HN: ['HNL', 25, '+504 9'],
  MX: ['MXN', 18, '+52 55'],
  NI: ['NIO', 37, '+505 8'],
  PA: ['USD', 1, '+507 6'],
  PE: ['PEN', 3.7, '+51 9'],
  PY: ['PYG', 7_500, '+595 98'],
  SV: ['USD', 1, '+503 7'],
  UY: ['UYU', 40, '+598 9'],
  VE: ['USD', 1, '+58 41'],
}

export const landOf = (country: string): Land => LANDS[country] ?? ['USD', 1, '+1']

export const REMARKS = [
  'Único dueño, service oficial al día. Se entrega transferido.',
  'Excelente estado general. Recibimos su usado y financiamos.',
  'Titular, con todos los papeles. Cubiertas nuevas.',
  'Impecable. Nunca chocado, se puede revisar con su mecánico.',
  'Oportunidad por renovación de flota. Precio de contado.',
  'Con GNC colocado hace un año, la oblea vence el próximo.',
  'Full, cuero, pantalla y cámara de retroceso.',
  'Ideal primer auto. Bajo consumo y repuestos en todos lados.',
] as const
