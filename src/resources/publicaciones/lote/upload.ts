import type { App } from '../../../apps/app.ts'
import type { Rows } from '../../../http/body.ts'
import { fault, invalid } from '../../../http/problems.ts'
import type { Db } from '../../../store/db.ts'
import type { AgenciaOfApp } from '../../agencias/agencia.ts'
import { requireLocked } from '../../agencias/read.ts'
import { detailContext } from '../details.ts'
import { lockCapacity, lockKey, type PublicacionesDeps, updateCapacity } from '../paquete.ts'
import type { CurrentPublicacion } from '../publicacion.ts'
import { keyOf, lockPublicaciones } from '../read.ts'
import { archivePublicaciones, insertRows, newRowText, updateRows } from '../write.ts'
import { type PlannedRow, planRows, type Resultado, resultOf } from './plan.ts'
import { type Row, readRows } from './rows.ts'
import type { LoteQuery } from './schema.ts'

const MAX_ARCHIVED = 0.3 // of the live listings, unless confirmed; docs/decisions/listings.md

const NO_ROWS: Rows = { bytes: Buffer.alloc(0), isLines: false }

export interface Uploaded {
  agencia: AgenciaOfApp
  rows: (PlannedRow & { resultado: Resultado })[]
  /** The listings that a complete upload does not have, which are archived. */
  absent: CurrentPublicacion[]
}

/** One transaction and a few statements. A row that fails does not affect the others. */
export async function upload(
  deps: PublicacionesDeps,
  app: App,
  adminMail: string,
  sent: Rows | undefined,
  query: LoteQuery,
): Promise<Uploaded> {
  return deps.store.withLock(lockKey(app.modo, adminMail), async (tx) => {
    const agencia = await requireLocked(tx, app, adminMail)
    // Parsed only now: an upload for a foreign agency costs nothing, and one that waits for the lock holds only bytes.
    const rows = await readRows(sent ?? NO_ROWS, query)
    const capacity = await lockCapacity(tx, agencia.id, deps)
    const complete = query.modo === 'completo'
    const named = rows.flatMap(({ externalId }) => externalId ?? [])
    const found = await lockPublicaciones(tx, app, agencia.id, complete ? 'all' : named)
    const current = new Map(found.map((each) => [keyOf(each.externalId), each]))
    const absent = complete ? absentFrom(rows, current, query) : []
    for (const each of absent) updateCapacity(capacity, each, undefined)

    const planned = await planRows(rows, { details: detailContext(deps, agencia), capacity, current })
    const results = planned.map((each) => ({ ...each, resultado: resultOf(each) }))
    if (!query.simular) await write(tx, app, agencia, results, absent)
    return { agencia, rows: results, absent }
  })
}

const namelessText = ({ fila }: Row) =>
  `La fila ${fila} no tiene un ExternalId válido: en modo completo no se puede saber qué archivar.`

/** The live listings that no row names; refused if a row has no valid ExternalId. */
function absentFrom(
  rows: Row[],
  current: ReadonlyMap<string, CurrentPublicacion>,
  query: LoteQuery,
): CurrentPublicacion[] {
  const nameless = rows.find(({ named }) => !named)
  if (nameless) throw invalid({ _: [fault('requerido', namelessText(nameless))] })
  const named = new Set(rows.map(({ externalId }) => keyOf(externalId ?? '')))
  const absent = [...current].filter(([key]) => !named.has(key)).map(([, each]) => each)
  if (absent.length <= current.size * MAX_ARCHIVED || query.confirmar || query.simular) return absent
  const share = Math.round((absent.length / current.size) * 100)
  const listings = current.size === 1 ? '1 publicación' : `${current.size} publicaciones`
  throw invalid(
    {
      confirmar: [
        fault(
          'sin-confirmar',
          `El lote archivaría ${absent.length} de ${listings} (${share} %): si es lo que quiere, confirme con true.`,
        ),
      ],
    },
    { Archivaria: absent.length, Vivas: current.size },
  )
}

async function write(
  tx: Db,
  app: App,
  { id: agenciaId }: AgenciaOfApp,
  rows: Uploaded['rows'],
  absent: CurrentPublicacion[],
): Promise<void> {
  if (absent.length > 0)
    await archivePublicaciones(
      tx,
      absent.map(({ id }) => id),
    )
  const owner = { modo: app.modo, agenciaId, appId: app.id }
  const created = rows.flatMap(({ row, next, resultado }) =>
    next && resultado === 'creada' ? newRowText(owner, row.body.ExternalId, next) : [],
  )
  const changed = rows.flatMap(({ current, next, columns, resultado }) =>
    current && next && resultado === 'modificada' ? { current, ...next, columns } : [],
  )
  if (created.length > 0) await insertRows(tx, created)
  if (changed.length > 0) await updateRows(tx, changed)
}
