import type { Errors } from '../../../http/problems.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { FaultList, Field, Tick } from '../../fields.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { AGENCIAS, agenciaHref } from './parts.tsx'

/** What is written in the form, as it was written. */
export interface GivenPackage {
  nombre: string
  desde: string
  hasta: string
  alta: string
  media: string
  baja: string
  consultasDeCatalogo: boolean
}

interface Props {
  ctx: ConsoleContext
  agencia: Agencia
  given: GivenPackage
  errors?: Errors
}

const PLACES = [
  ['Alta', 'alta'],
  ['Media', 'media'],
  ['Baja', 'baja'],
] as const

/** What an agency has contracted, to be written anew. */
export const packagePage = ({ ctx, agencia, given, errors }: Props) => (
  <ConsolePage
    ctx={ctx}
    title="Paquete"
    section={AGENCIAS}
    above={{ href: agenciaHref(agencia), label: agencia.nombre }}
    faulty={errors !== undefined}
    lead={
      <p>Reemplaza lo contratado. Los avisos se acomodan enseguida, los más viejos primero, y las apps se enteran.</p>
    }
  >
    <form method="post" action={`${agenciaHref(agencia)}/paquete`} class="sheet limited" novalidate>
      <FaultList errors={errors} />
      <Field name="Nombre" label="Nombre" value={given.nombre} errors={errors} more={{ maxlength: 120 }} />
      <div class="fields-beside">
        <Field name="Desde" label="Desde" value={given.desde} errors={errors} more={{ type: 'date' }} />
        <Field name="Hasta" label="Hasta, inclusive" value={given.hasta} errors={errors} more={{ type: 'date' }} />
      </div>
      <fieldset>
        <legend>Cuántos avisos puede mostrar</legend>
        <div class="fields-beside">
          {PLACES.map(([name, key]) => (
            <Field
              key={name}
              name={name}
              label={`Exposición ${name.toLowerCase()}`}
              value={given[key]}
              errors={errors}
              more={{ inputmode: 'numeric', maxlength: 7, autocomplete: 'off' }}
            />
          ))}
        </div>
      </fieldset>
      <Tick
        name="ConsultasDeCatalogo"
        label="Incluye consultas de catálogo"
        hint="Las de personas que preguntan por un modelo nuevo, sin un aviso en particular."
        checked={given.consultasDeCatalogo}
      />
      <button type="submit">Guardar el paquete</button>
    </form>
  </ConsolePage>
)
