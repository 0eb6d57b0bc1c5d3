import type { HistoryEntry } from '../../../resources/agencias/edit.ts'
import { AgencyData } from '../../agency.tsx'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { pathAt } from '../nav.tsx'
import { DataForm, type DataFormProps } from './form.tsx'
import { History } from './history.tsx'

interface Props {
  ctx: AgencyContext
  country: string
  /** For those who may change it. */
  form: DataFormProps | undefined
  entries: HistoryEntry[]
  /** Whether there are earlier entries than these. */
  more: boolean
}

/** What the agency says of itself, to change or to read, and what was changed of it. */
export function dataPage({ ctx, country, form, entries, more }: Props) {
  const earlier = more ? pathAt(ctx, '/cuenta/datos', { antes: entries.at(-1)?.id }) : undefined
  return (
    <AgencyPage
      ctx={ctx}
      section="/cuenta/datos"
      title="Datos"
      faulty={Boolean(form?.errors)}
      script={Boolean(form)}
      lead={
        <p>
          {form
            ? 'Lo que las apps y el mercado muestran de la agencia. Se enteran de lo que cambie.'
            : `Los cambia quien administra la agencia: ${ctx.agencia.adminMail}.`}
        </p>
      }
    >
      <div class="with-side">
        {form ? <DataForm {...form} /> : <AgencyData agencia={ctx.agencia} country={country} />}
        <div>
          <h2>Cambios</h2>
          <History {...{ ctx, entries, country, earlier }} />
        </div>
      </div>
    </AgencyPage>
  )
}
