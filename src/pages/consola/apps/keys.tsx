import type { App } from '../../../apps/app.ts'
import type { ListedSecret } from '../../../apps/secrets.ts'
import { Tick } from '../../fields.tsx'
import { Moment, type When } from '../../format.tsx'
import { type Column, Table } from '../../table.tsx'
import { appHref } from './list.tsx'

interface Props {
  app: App
  secrets: ListedSecret[]
  when: When
}

/** The secrets of an app: when each began and ended, and the way to one more. */
export const Keys = ({ app, secrets, when }: Props) => (
  <section id="claves">
    <h2>Claves</h2>
    <Table
      caption="Claves de la app"
      columns={columns(app, secrets, when)}
      rows={secrets}
      keyOf={({ id }) => id}
      empty={<p>La app no tiene claves. Cree una para que pueda llamar.</p>}
    />
    <details>
      <summary>Crear una clave nueva</summary>
      <form method="post" action={`${appHref(app)}/claves`}>
        <input type="hidden" name="vigente" value={newestOf(secrets)} />
        <Tick
          name="revocar"
          label="Revocar ya las anteriores"
          hint="Solo si se filtraron: la app deja de funcionar hasta que use la nueva. Sin marcar, la última sigue sirviendo mientras el asociado cambia."
          checked={false}
        />
        <button type="submit">Crear y ver la clave</button>
      </form>
    </details>
  </section>
)

/** The one that the form was made beside: sent again, it would take that one's place too. */
const newestOf = (secrets: ListedSecret[]): number =>
  Math.max(0, ...secrets.filter(({ revocado }) => revocado === null).map(({ id }) => id))

function columns(app: App, secrets: ListedSecret[], when: When): Column<ListedSecret>[] {
  const live = secrets.filter(({ revocado }) => revocado === null)
  return [
    { head: 'Clave', cell: ({ id }) => <strong>Nº {id}</strong> },
    { head: 'Creada', cell: ({ creado }) => <Moment at={creado} when={when} /> },
    {
      head: 'Estado',
      cell: ({ revocado }) =>
        revocado ? (
          <span>
            <span class="badge status-5">revocada</span> <Moment at={revocado} when={when} />
          </span>
        ) : (
          <span class="badge status-2">vigente</span>
        ),
    },
    {
      head: 'Acción',
      cell: ({ id, revocado }) =>
        revocado === null && live.length > 1 ? (
          <a class="danger" href={`${appHref(app)}/claves/${id}/revocar`}>
            Revocar<span class="visually-hidden"> la clave Nº {id}</span>
          </a>
        ) : null,
    },
  ]
}
