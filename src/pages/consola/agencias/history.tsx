import { fullName } from '../../../accounts/account.ts'
import { formatCampo } from '../../../resources/agencias/agencia.ts'
import type { HistoryEntry } from '../../../resources/agencias/edit.ts'
import { Moment, type When } from '../../format.tsx'
import { type Column, Table } from '../../table.tsx'

/** The last changes of an agency's data: who, when, what from and to. */
export const History = ({ history, country, when }: { history: HistoryEntry[]; country: string; when: When }) => (
  <section id="historia">
    <h2>Cambios</h2>
    <Table
      caption="Cambios de los datos"
      columns={columns(country, when)}
      rows={history}
      keyOf={({ id }) => id}
      empty={<p>Nadie cambió sus datos desde que se registró.</p>}
    />
  </section>
)

const columns = (country: string, when: When): Column<HistoryEntry>[] => [
  { head: 'Cuándo', cell: ({ at }) => <Moment at={at} when={when} /> },
  {
    head: 'Quién',
    cell: ({ app, person }) => app ?? (person ? fullName(person) : 'El mercado'),
  },
  {
    head: 'Qué',
    cell: ({ changes }) => (
      <ul class="plain-list">
        {changes.map(({ campo, antes, despues }) => (
          <li key={campo}>
            {formatCampo(campo, country)}: <del>{antes ?? 'nada'}</del> → <ins>{despues ?? 'nada'}</ins>
          </li>
        ))}
      </ul>
    ),
  },
]
