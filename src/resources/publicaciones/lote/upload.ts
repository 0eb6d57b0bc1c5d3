import type { App } from '../../../apps/app.ts'
import { invalid } from '../../../http/problems.ts'
import type { Rows } from '../../../http/rows.ts'
import type { Db } from '../../../store/db.ts'
import type { AgenciaOfApp } from '../../agencias/agencia.ts'
import type { PublicacionesDeps } from '../deps.ts'
import { move } from '../exposure.ts'
import { openAgencia, openRoom, readingOf, turnOf } from '../opening.ts'
import { keyOf } from '../store.ts'
import { archivePublicaciones, insertRows, rowText, searchText, updateRows } from '../write.ts'
import { type Living, lockLiving } from './living.ts'
import { type Next, type Planned, planRows, type Resultado, resultOf } from './plan.ts'
import { type Row, readRows } from './rows.ts'
import type { LoteQuery } from './schema.ts'

const MOST_ARCHIVED = 0.3 // of what lives, without being confirmed; decisions, 10

const NO_ROWS: Rows = { bytes: Buffer.alloc(0), isLines: false }

export interface Uploaded {
  agencia: AgenciaOfApp
  rows: (Planned & { resultado: Resultado })[]
  /** What was absent from a complete upload, and is archived. */
  absent: Living[]
}

/**
 * Brings an app's listings at an agency to what an upload says: one transaction, few statements, however many rows. A
 * row that fails spoils no other; one that says what is so already writes nothing.
 */
export async function upload(
  deps: PublicacionesDeps,
  app: App,
  adminMail: string,
  sent: Rows | undefined,
  query: LoteQuery,
): Promise<Uploaded> {
  return deps.store.withLock(turnOf(app.modo, adminMail), async (tx) => {
    const agencia = await openAgencia(tx, app, adminMail)
    // Only now, so that an upload to an agency of others costs nothing, and one that waits its turn holds bytes alone.
    const rows = await readRows(sent ?? NO_ROWS, query)
    const room = await openRoom(tx, agencia.id, deps)
    const complete = query.modo === 'completo'
    const named = rows.flatMap(({ externalId }) => externalId ?? [])
    const found = await lockLiving(tx, app, agencia.id, complete ? 'all' : named)
    const living = new Map(found.map((each) => [keyOf(each.externalId), each]))
    const absent = complete ? absentFrom(rows, living, query) : []
    for (const each of absent) move(room, each, undefined)

    const planned = await planRows(rows, { reading: readingOf(deps, agencia), room, living })
    const results = planned.map((each) => ({ ...each, resultado: resultOf(each) }))
    if (!query.simular) await write(tx, app, agencia, results, absent)
    return { agencia, rows: results, absent }
  })
}

/** What lives and is not named. Where a row's name is none, what is absent cannot be known. */
function absentFrom(rows: Row[], living: ReadonlyMap<string, Living>, query: LoteQuery): Living[] {
  const nameless = rows.find(({ named }) => !named)
  if (nameless)
    throw invalid({
      _: [`La fila ${nameless.fila} no tiene un ExternalId válido: en modo completo no se sabe qué falta.`],
    })
  const named = new Set(rows.map(({ externalId }) => keyOf(externalId ?? '')))
  const absent = [...living].filter(([key]) => !named.has(key)).map(([, each]) => each)
  if (absent.length <= living.size * MOST_ARCHIVED || query.confirmar || query.simular) return absent
  const share = Math.round((absent.length / living.size) * 100)
  throw invalid(
    {
      confirmar: [
        `Archivaría ${absent.length} de ${living.size} publicaciones (${share} %): si es así, confirme con true.`,
      ],
    },
    { Archivaria: absent.length, Vivas: living.size },
  )
}

async function write(
  tx: Db,
  app: App,
  { id: agenciaId }: AgenciaOfApp,
  rows: Uploaded['rows'],
  absent: Living[],
): Promise<void> {
  if (absent.length > 0)
    await archivePublicaciones(
      tx,
      absent.map(({ id }) => id),
    )
  const whose = { modo: app.modo, agenciaId, appId: app.id }
  const created = rows.flatMap(({ row, next, resultado }) =>
    next && resultado === 'creada' ? createdText(whose, row.body.ExternalId, next) : [],
  )
  const changed = rows.flatMap(({ current, next, columns, resultado }) =>
    current && next && resultado === 'modificada' ? { current, ...next, columns } : [],
  )
  if (created.length > 0) await insertRows(tx, created)
  if (changed.length > 0) await updateRows(tx, changed)
}

function createdText(whose: object, externalId: string, { vehicle, details, visibility }: Next): string {
  const { marca, modelo, version } = vehicle
  const busqueda = searchText({ marca, modelo, version, externalId, refStock: details.refStock })
  return rowText(whose, { externalId, busqueda }, vehicle, details, visibility)
}
