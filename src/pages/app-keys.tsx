import type { ComponentChild } from 'preact'
import { type ListedSecret, revokeSecret } from '../apps/secrets.ts'
import { conflict, notFound } from '../http/problems.ts'
import type { Store } from '../store/db.ts'
import { Moment, type TimeContext } from './format.tsx'
import type { Column } from './table.tsx'

const LAST = 'Es la única clave de la app: cree otra antes de revocarla.'
const ROTATED = 'La clave ya se cambió desde que abrió esa página: vea ahí las que sirven ahora.'

export const noSuchKey = () => notFound('La app no tiene una clave vigente así.')
export const lastKey = () => conflict({}, LAST)
export const rotatedMeanwhile = () => conflict({}, ROTATED)

export const liveOf = (secrets: ListedSecret[]) => secrets.filter(({ revocado }) => revocado === null)

/** The question before a secret is revoked; `user` is what may still use it. */
export const revocation = (key: string, user: string) => ({
  title: `¿Revocar la clave ${key}?`,
  button: 'Sí, revocar',
  consequences: [
    'En un segundo se rechaza lo que venga firmado con ella, y los tokens que se pidieron con ella.',
    `Si ${user} todavía la usa, deja de funcionar hasta que cambie a la otra.`,
    'No se puede deshacer.',
  ],
})

export async function revokeKey(store: Store, appId: number, id: number): Promise<void> {
  const outcome = await revokeSecret(store, appId, id)
  if (outcome === 'gone') throw noSuchKey()
  if (outcome === 'last') throw lastKey()
}

/** The columns of a table of secrets: `name` says which one it is, `act` what can be done with one that works. */
export const keyColumns = <Row extends ListedSecret>(
  when: TimeContext,
  name: (row: Row) => ComponentChild,
  act: (row: Row) => ComponentChild,
): Column<Row>[] => [
  { head: 'Clave', cell: name },
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
  { head: 'Acción', cell: (row) => row.revocado === null && act(row) },
]
