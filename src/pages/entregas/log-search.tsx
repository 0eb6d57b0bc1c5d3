import { TOPICS } from '../../webhooks/topics.ts'
import { fieldId } from '../fields.tsx'
import { FilterField, FilterSelect } from '../filter.tsx'
import { Search } from '../table.tsx'
import { type Filters, UNSENT } from './filters.ts'

const ESTADOS = [
  [UNSENT, 'Sin entregar (fallidas y descartadas)'],
  ['pendiente', 'Pendientes'],
  ['entregada', 'Entregadas'],
  ['fallida', 'Fallidas'],
  ['descartada', 'Descartadas'],
] as const

interface Props {
  action: string
  filters: Filters
  /** Events have no state of their own. */
  of: 'deliveries' | 'events'
}

/** What narrows the log: one box for whatever is at hand, and the rest by choice. */
export const LogSearch = ({ action, filters, of }: Props) => (
  <div class="log-search">
    <Search action={action}>
      <LogFilters filters={filters} of={of} />
    </Search>
  </div>
)

/** Its fields, also for the form that sends again what they choose. */
export const LogFilters = ({ filters, of }: Omit<Props, 'action'>) => (
  <>
    <FilterField
      name="q"
      label="Id, sid o agencia"
      value={filters.q}
      more={{ type: 'search', placeholder: 'Id del evento, sid de la consulta, correo o nombre de la agencia' }}
    />
    <FilterSelect name="topic" label="Topic" value={filters.topic} all="Todos" choices={TOPICS} />
    {of === 'deliveries' && (
      <FilterSelect name="estado" label="Estado" value={filters.estado} all="Todos" choices={ESTADOS} />
    )}
    <LocalMoment name="desde" label="Desde" value={filters.desde} ofDay="00:00" />
    <LocalMoment name="hasta" label="Hasta" value={filters.hasta} ofDay="23:59" />
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
