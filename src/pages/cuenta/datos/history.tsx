import { fullName } from '../../../accounts/account.ts'
import type { HistoryEntry } from '../../../resources/agencias/edit.ts'
import { formatCampo } from '../../../resources/agencias/fields.ts'
import { Moment } from '../../format.tsx'
import type { AgencyContext } from '../context.tsx'

interface Props {
  ctx: AgencyContext
  entries: HistoryEntry[]
  country: string
  /** Where earlier ones are. */
  earlier: string | undefined
}

/** What was changed of the agency, by whom and when, the newest first. */
export function History({ ctx, entries, country, earlier }: Props) {
  if (entries.length === 0) return <p class="empty">Todavía no cambió nada desde que la agencia se registró.</p>
  return (
    <>
      <ol class="history">
        {entries.map((entry) => (
          <li key={entry.id}>
            <p class="facts">
              <strong>{authorOf(entry, ctx)}</strong>
              <Moment at={entry.at} when={ctx} />
            </p>
            <ul class="plain-list">
              {entry.changes.map(({ campo, antes, despues }) => (
                <li key={`${campo}${antes}${despues}`}>
                  {formatCampo(campo, country)}: {antes && <del>{antes}</del>} {despues && <ins>{despues}</ins>}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {earlier && <a href={earlier}>Ver cambios anteriores</a>}
    </>
  )
}

function authorOf({ app, person }: HistoryEntry, { account }: AgencyContext): string {
  if (person) return person.email === account.email ? 'Usted' : fullName(person)
  return app ? `La app ${app}` : 'El mercado'
}
