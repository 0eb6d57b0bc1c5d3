import Type, { type Static } from 'typebox'

export const MOST_CANDIDATES = 5

export const candidate = {
  href: Type.String({ examples: ['/v3/ciudades/2024'] }),
  title: Type.String({ examples: ['Zárate (Buenos Aires)'] }),
  Score: Type.Number({ minimum: 0, maximum: 1, description: 'Qué tan seguro es', examples: [0.93] }),
}

/** Of a problem without `Errors`. */
export const REFUSAL_EXTENSIONS = {
  Tipos: Type.Optional(
    Type.Array(Type.String({ examples: ['application/json'] }), { description: 'Con 406: los tipos que se ofrecen' }),
  ),
  MaxBytes: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Con 413: cuántos bytes puede tener el cuerpo', examples: [32_768] }),
  ),
  RequestId: Type.Optional(Type.String({ description: 'Con 500: el número de la solicitud; inclúyalo al avisarnos' })),
}

export const CandidatoDeDato = Type.Object(
  {
    ...candidate,
    Campo: Type.Optional(
      Type.String({
        description: 'El dato al que corresponde; falta si la solicitud tiene uno solo',
        examples: ['Ciudad'],
      }),
    ),
  },
  { $id: 'CandidatoDeDato', description: 'Una entrada que se parece a un dato' },
)

/** Of a problem with `Errors`. */
export const VALIDATION_EXTENSIONS = {
  Candidatos: Type.Optional(
    Type.Array(
      // With a name of its own: some generators name an inline object after the member, which would take the name of `Candidato`.
      Type.Unsafe<Static<typeof CandidatoDeDato>>(Type.Ref('CandidatoDeDato')),
      { description: `Con sin-coincidencia: lo que más se parece, hasta ${MOST_CANDIDATES} entradas por dato` },
    ),
  ),
  Conectar: Type.Optional(
    Type.String({
      format: 'uri',
      description: 'Con ya-registrada: la página donde quien administra la agencia la asocia a la app',
    }),
  ),
  Publicacion: Type.Optional(Type.Ref('PublicacionRef')), // a description beside a reference is not shown
  Archivaria: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Con sin-confirmar: cuántas publicaciones archivaría el lote' }),
  ),
  Vivas: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Con sin-confirmar: cuántas publicaciones vigentes de la agencia tiene la app',
    }),
  ),
}

/** What a problem may say besides its codes: only what the document describes. */
export type ProblemExtensions = Static<Type.TObject<typeof REFUSAL_EXTENSIONS & typeof VALIDATION_EXTENSIONS>>
