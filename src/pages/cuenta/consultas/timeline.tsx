import { t, textOrElse } from '../../../i18n/messages.tsx'
import type { TimelineEntry } from '../../../resources/consultas/history.ts'
import { Moment } from '../../format.tsx'
import { responsibleName } from '../assign.tsx'
import type { AgencyContext } from '../context.tsx'

/** What happened to an inquiry, the oldest first. */
export const Timeline = ({ ctx, entries }: { ctx: AgencyContext; entries: readonly TimelineEntry[] }) => (
  <ol class="timeline">
    {entries.map((entry) => (
      <li key={`${entry.kind} ${entry.at.getTime()}`} class={entry.kind}>
        <span class="hint">
          <Moment at={entry.at} when={ctx} />
        </span>
        <span>
          {textOf(entry, ctx)}
          {entry.kind === 'nota' && <span class="note">{entry.detail}</span>}
        </span>
      </li>
    ))}
  </ol>
)

function textOf(entry: TimelineEntry, { agencia }: AgencyContext): string {
  switch (entry.kind) {
    case 'recibida':
      return t('bandeja.timeline.received')
    case 'abierta':
      return t('bandeja.timeline.opened', { who: entry.who })
    case 'nota':
      return entry.who ? t('bandeja.timeline.noted', { who: entry.who }) : t('bandeja.timeline.note')
    case 'estado': {
      const state = t(`comun.estado.${entry.detail}`)
      return entry.who
        ? t('bandeja.timeline.marked', { who: entry.who, state: state.toLowerCase() })
        : t('bandeja.timeline.became', { state })
    }
    case 'operador':
      return t('bandeja.timeline.assigned', { who: entry.who ?? '', person: responsibleName(agencia, entry.detail) })
    case 'correo': {
      const estado = textOrElse(`bandeja.sent.${entry.estado}`, entry.estado)
      if (entry.detail === 'consulta-recibo') return t('bandeja.timeline.receipt', { estado })
      const who = responsibleName(agencia, entry.who)
      return entry.detail === 'recordatorio'
        ? t('bandeja.timeline.reminder', { who, estado })
        : t('bandeja.timeline.email', { who, estado })
    }
    case 'app': {
      const estado = t(`bandeja.sent.${entry.estado ?? 'sinWebhook'}`)
      const what = entry.detail === 'consulta.recibida' ? 'bandeja.timeline.app' : 'bandeja.timeline.appChange'
      return t(what, { who: entry.who, estado })
    }
  }
}
