import { overHttp } from '../over-http.ts'

export const marcas = overHttp(
  {
    name: 'marcas',
    title: 'All makes, signed',
    targets: ['/v3/marcas'],
    target: 0.5,
  },
  { usual: false },
)
