import type { OwnListing } from '../../../resources/publicaciones/own.ts'
import { carOf } from '../../../resources/publicaciones/represent.ts'
import { SUSPENSION_LABELS } from '../../labels.tsx'
import type { Column } from '../../table.tsx'

const column = (head: string, text: NonNullable<Column<OwnListing>['text']>): Column<OwnListing> => ({
  head,
  cell: () => null,
  text,
})

/** A listing as a line of a spreadsheet. */
export const CSV_COLUMNS: readonly Column<OwnListing>[] = [
  column('Aviso', ({ id }) => id),
  column('Marca', ({ marca }) => marca),
  column('Modelo', ({ modelo }) => modelo),
  column('Versión', ({ version }) => version),
  column('Año', ({ versionYear }) => versionYear),
  column('Kilómetros', ({ kilometraje }) => kilometraje),
  column('Moneda', (row) => carOf(row).Precio?.Moneda ?? null),
  column('Precio', (row) => carOf(row).Precio?.Importe ?? null),
  column('Se muestra', ({ estado }) => (estado === 'Activa' ? 'Sí' : 'No')),
  column('Por qué no', ({ suspensiones }) => suspensiones.map((reason) => SUSPENSION_LABELS[reason]).join('; ')),
  column('Exposición', ({ exposicion }) => exposicion),
  column('Publicado por', ({ app }) => app),
  column('Identificador en la app', ({ externalId }) => externalId),
  column('Referencia de stock', ({ refStock }) => refStock),
  column('A cargo de', ({ operador }) => operador),
]
