import type { HistoryEntry } from '../../../resources/agencias/history.ts'
import { AgencyData } from '../agency-data.tsx'
import { pathAt } from '../place.tsx'
import { AgencyPage, type Visit } from '../visit.tsx'
import { DataForm, type DataFormProps } from './form.tsx'
import { History } from './history.tsx'

interface Props {
  visit: Visit
  country: string
  /** For whoever may change it. */
  form: DataFormProps | undefined
  entries: HistoryEntry[]
  /** Whether there are earlier entries than these. */
  more: boolean
}

/** What the agency says of itself, to change or to read, and what was changed of it. */
export function dataPage({ visit, country, form, entries, more }: Props) {
  const earlier = more ? pathAt(visit, '/cuenta/datos', { antes: entries.at(-1)?.id }) : undefined
  return (
    <AgencyPage
      visit={visit}
      section="/cuenta/datos"
      title="Datos"
      faulty={Boolean(form?.errors)}
      script={Boolean(form)}
      lead={
        <p>
          {form
            ? 'Lo que las apps y el mercado muestran de la agencia. Se enteran de lo que cambie.'
            : `Los cambia quien administra la agencia: ${visit.agencia.adminMail}.`}
        </p>
      }
    >
      <div class="with-side">
        {form ? <DataForm {...form} /> : <AgencyData agencia={visit.agencia} country={country} />}
        <div>
          <h2>Cambios</h2>
          <History {...{ visit, entries, country, earlier }} />
        </div>
      </div>
    </AgencyPage>
  )
}
