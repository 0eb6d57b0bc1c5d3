import { TOPICS } from '../../../webhooks/topics.ts'
import { fieldId } from '../../fields.tsx'
import { FilterField, FilterSelect } from '../../filter.tsx'
import { Search } from '../../table.tsx'
import { type Looked, UNSENT } from './looked.ts'

const ESTADOS = [
  [UNSENT, 'Sin entregar (fallidas y descartadas)'],
  ['pendiente', 'Pendientes'],
  ['entregada', 'Entregadas'],
  ['fallida', 'Fallidas'],
  ['descartada', 'Descartadas'],
] as const

interface Props {
  action: string
  looked: Looked
  /** Events have no state of their own. */
  of: 'deliveries' | 'events'
}

/** What narrows the log: one box for whatever is at hand, and the rest by choice. */
export const LogSearch = ({ action, looked, of }: Props) => (
  <div class="log-search">
    <Search action={action}>
      <LogFilters looked={looked} of={of} />
    </Search>
  </div>
)

/** Its fields, also for the form that sends again what they choose. */
export const LogFilters = ({ looked, of }: Omit<Props, 'action'>) => (
  <>
    <FilterField
      name="q"
      label="Id, sid o agencia"
      value={looked.q}
      more={{ type: 'search', placeholder: 'Id del evento, sid de la consulta, correo o nombre de la agencia' }}
    />
    <FilterSelect name="topic" label="Topic" value={looked.topic} all="Todos" choices={TOPICS} />
    {of === 'deliveries' && (
      <FilterSelect name="estado" label="Estado" value={looked.estado} all="Todos" choices={ESTADOS} />
    )}
    <LocalMoment name="desde" label="Desde" value={looked.desde} ofDay="00:00" />
    <LocalMoment name="hasta" label="Hasta" value={looked.hasta} ofDay="23:59" />
  </>
)

interface LocalMomentProps {
  name: string
  label: string
  value: string | undefined
  /** The time that is meant where only a day was said. */
  ofDay: string
}

/** A day and a time of the marketplace's zone. */
const LocalMoment = ({ name, label, value, ofDay }: LocalMomentProps) => (
  <div>
    <label for={fieldId(name)}>{label}</label>
    <input
      id={fieldId(name)}
      name={name}
      type="datetime-local"
      value={value && (value.length === 10 ? `${value}T${ofDay}` : value.slice(0, 16))}
    />
  </div>
)
