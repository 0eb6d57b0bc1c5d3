import { autoOf, type Consulta, interesadoOf } from '../../../resources/consultas/consulta.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { localMoment } from '../../dates.ts'
import { ESTADO_LABELS, INTERES_LABELS, ORIGEN_LABELS } from '../../labels.tsx'
import type { Column } from '../../table.tsx'

/** An inquiry as a line of a spreadsheet: one cell for each thing that a dealership sorts and counts by. */
export function csvColumns(timeZone: string): Column<Consulta>[] {
  const column = (head: string, text: NonNullable<Column<Consulta>['text']>): Column<Consulta> => ({
    head,
    cell: () => null,
    text,
  })
  const person = (head: string, of: (person: ReturnType<typeof interesadoOf>) => string | null) =>
    column(head, (row) => of(interesadoOf(row)))
  const car = (head: string, of: (car: ReturnType<typeof autoOf>) => string | number | null) =>
    column(head, (row) => of(autoOf(row)))
  return [
    column('Fecha', ({ sid }) => localMoment(momentOf(sid), timeZone)),
    column('Estado', ({ estado }) => ESTADO_LABELS[estado]),
    person('Nombre', ({ Nombre }) => Nombre),
    person('Apellido', ({ Apellido }) => Apellido),
    person('Correo', ({ Email }) => Email),
    person('Teléfono', ({ Telefono }) => Telefono),
    person('Ciudad', ({ Ciudad }) => Ciudad),
    person('Provincia', ({ Provincia }) => Provincia),
    person('Le interesa', ({ Interes }) => Interes && INTERES_LABELS[Interes]),
    person('Comentario', ({ Comentario }) => Comentario),
    car('Marca', ({ Marca }) => Marca),
    car('Modelo', ({ Modelo }) => Modelo),
    car('Versión', ({ Version }) => Version),
    car('Año', ({ VersionYear }) => VersionYear),
    car('Moneda', ({ Precio }) => Precio?.Moneda ?? null),
    car('Precio', ({ Precio }) => Precio?.Importe ?? null),
    car('Aviso', ({ ExternalId }) => ExternalId),
    car('Referencia de stock', ({ RefStock }) => RefStock),
    column('Llegó por', ({ origenLead }) => ORIGEN_LABELS[origenLead]),
    column('A cargo de', ({ operador }) => operador),
    column('Identificador', ({ sid }) => sid),
  ]
}
