import Type, { type Static, type TSchema } from 'typebox'
import { Codigos, Count, nullable } from '../../../http/schemas.ts'

export const LoteQuery = Type.Object({
  modo: Type.Optional(
    Type.Enum(['parcial', 'completo'], {
      description: 'completo: también se archiva lo que no está; parcial si falta',
    }),
  ),
  confirmar: Type.Optional(Type.Boolean({ description: 'Para archivar más del 30 % de lo publicado' })),
  simular: Type.Optional(Type.Boolean({ description: 'Solo dice qué pasaría' })),
})

const PublicacionLoteFila = Type.Object(
  {
    Fila: nullable(Type.Integer({ minimum: 1, description: 'Desde 1; null en lo que se archiva por no estar' })),
    ExternalId: nullable(Type.String({ examples: ['AB-1023'] })),
    Resultado: Type.Enum(['creada', 'modificada', 'sin-cambios', 'archivada', 'rechazada'], {
      examples: ['rechazada'],
    }),
    Errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'Por qué se rechaza, como en un problema: los primeros 10 errores',
        examples: [{ Color: ['No reconocemos «gris».'] }],
      }),
    ),
    Codigos: Type.Optional({ ...Codigos, examples: [{ Color: ['sin-coincidencia'] }] }),
    Candidatos: Type.Optional(
      Type.Array(
        Type.Object({
          href: Type.String({ examples: ['/v3/colores/3'] }),
          title: Type.String({ examples: ['Gris'] }),
          Score: Type.Number({ examples: [0.93] }),
          Campo: Type.String({ examples: ['Color'] }),
        }),
        { description: 'Lo que se parece a un valor que no se reconoció' },
      ),
    ),
    _links: Type.Ref('Links'),
  },
  { $id: 'PublicacionLoteFila' },
)

const PublicacionesLote = Type.Object(
  {
    Simulacion: Type.Boolean({ description: 'true: nada de esto se hizo' }),
    Resumen: Type.Object({
      Creadas: Count,
      Modificadas: Count,
      SinCambios: Count,
      Archivadas: Count,
      Rechazadas: Count,
    }),
    _links: Type.Ref('Links'),
    _entries: Type.Array(Type.Ref('PublicacionLoteFila'), {
      description: 'Las filas en su orden, y lo que se archiva',
    }),
  },
  { $id: 'PublicacionesLote' },
)

export const LOTE_SCHEMAS: readonly TSchema[] = [PublicacionLoteFila, PublicacionesLote]

export type LoteQuery = Static<typeof LoteQuery>
