import type { Header, Parameter } from './document.ts'

const text = (description: string, example: string): Header => ({
  description,
  schema: { type: 'string', examples: [example] },
})

/** The headers that answers carry, by the name they have on the wire. */
export const HEADERS = {
  'X-Request-Id': text('Número de la solicitud: cítelo al pedir ayuda.', '6f1c7a52-1d0f-4a57-9a8e-0b1d5d1f6c1e'),
  'RateLimit-Policy': text('El límite de la app: q solicitudes en w segundos.', '"app";q=200;w=4'),
  RateLimit: text('Lo que queda del límite: r solicitudes; vuelve a estar entero en t segundos.', '"app";r=199;t=1'),
  ETag: text('Versión de esta representación, para If-None-Match e If-Match.', '"Q2pKQ0x8m1vT3n5b7R9aZcE4gHk"'),
  Location: text(
    'Dirección de lo que se creó o se pidió, relativa como todo enlace.',
    '/v3/agencias/ventas@agencia.example',
  ),
  Match: text('Por qué se eligió esta entrada y con qué certeza (0 a 1).', 'rule=alias, score=0.93'),
  'Retry-After': text('Segundos que conviene esperar antes de repetir.', '2'),
  'WWW-Authenticate': text('Los esquemas que se aceptan.', 'Bearer realm="rodado", error="invalid_token"'),
  Accept: text('Los tipos de cuerpo que se admiten.', 'application/json, text/json'),
} satisfies Record<string, Header>

export type HeaderName = keyof typeof HEADERS

/** Conditions that a request may carry, by the name of their component. */
export const CONDITIONS = {
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'ETag de lo que ya se tiene: si no cambió, la respuesta es 304 sin cuerpo.',
    schema: { type: 'string' },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'ETag de lo que se leyó: si entretanto cambió, la respuesta es 412 y nada se modifica.',
    schema: { type: 'string' },
  },
} satisfies Record<string, Parameter>

/** The headers of an answer under /v3, from its status and the operation it belongs to. */
export function headersOf(
  status: number,
  { hasEtag, isBestmatch }: { hasEtag: boolean; isBestmatch: boolean },
): HeaderName[] {
  const always: HeaderName[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit']
  const own: HeaderName[] = []
  if (hasEtag && (status === 200 || status === 304)) own.push('ETag')
  if (isBestmatch && status === 200) own.push('Match')
  if (status === 201 || status === 202) own.push('Location')
  if (status === 401) own.push('WWW-Authenticate')
  if (status === 415) own.push('Accept')
  if (status === 429 || status === 503) own.push('Retry-After')
  return [...own, ...always]
}
