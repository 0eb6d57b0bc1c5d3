import { fullName } from '../../../accounts/account.ts'
import type { Errors } from '../../../http/problems.ts'
import { listSuppressions } from '../../../resources/consultas/suppress.ts'
import { FaultList, Field, Select } from '../../fields.tsx'
import { Moment } from '../../format.tsx'
import { defineList, orderedPage } from '../../list.tsx'
import { CONSOLE } from '../context.tsx'
import { MODOS } from '../modo.tsx'

export const SUPRESIONES = '/consola/supresiones'

/** The person to erase, as it was filled in. */
export interface GivenPerson {
  Email: string
  Telefono: string
  Modo: string
}

interface Refused {
  given: GivenPerson
  errors: Errors
}

/** Requests to erase a person: the form of a new one, and those that were done, which no longer name anybody. */
export const SUPRESIONES_LIST = defineList({
  audience: CONSOLE,
  section: SUPRESIONES,
  title: 'Supresiones',
  lead: () => (
    <p>
      Cuando una persona pide que se borren sus datos: de consultas, eventos, respuestas y correos. Las consultas
      quedan, sin la persona, y las apps que las recibieron se enteran.
    </p>
  ),
  filters: {},
  load: ({ store }, request) =>
    orderedPage(
      request,
      (cursor) => listSuppressions(store, cursor),
      ({ id }) => id,
    ),
  before: (refused: Refused | undefined) => (
    <section>
      <h2>Atender un pedido</h2>
      <form method="post" action={SUPRESIONES} class="sheet" novalidate>
        <Fields {...refused} />
        <p class="hint">Nada se borra todavía: primero se muestra qué se alcanza.</p>
        <button type="submit">Ver qué alcanza</button>
      </form>
    </section>
  ),
  heading: 'Pedidos atendidos',
  idOf: ({ id }) => id,
  columns: (ctx) => [
    {
      head: 'Constancia',
      cell: ({ id }) => (
        <a href={`${SUPRESIONES}/${id}`}>
          <code>{id}</code>
        </a>
      ),
      text: ({ id }) => id,
    },
    { head: 'Cuándo', cell: ({ at }) => <Moment at={at} when={ctx} />, text: ({ at }) => at },
    {
      head: 'Quién la atendió',
      cell: ({ by }) => (by ? fullName(by) : 'Línea de comandos'),
      text: ({ by }) => by?.email ?? '',
    },
    { head: 'Consultas', number: true, cell: ({ consultas }) => consultas, text: ({ consultas }) => consultas },
    { head: 'Eventos', number: true, cell: ({ eventos }) => eventos, text: ({ eventos }) => eventos },
    { head: 'Correos', number: true, cell: ({ correos }) => correos, text: ({ correos }) => correos },
    { head: 'Apps', number: true, cell: ({ apps }) => apps, text: ({ apps }) => apps },
  ],
  empty: {
    none: 'Todavía no se atendió ninguno. Cuando se atienda, aquí queda su constancia.',
    noMatch: 'No hay más.',
    all: 'Ver todos',
  },
  csvName: 'supresiones',
})

const Fields = ({ given, errors }: Partial<Refused>) => (
  <>
    <FaultList errors={errors} />
    <Field
      name="Email"
      label="Correo de la persona"
      value={given?.Email}
      errors={errors}
      optional
      hint="Como lo dejó al consultar."
      more={{ type: 'email', inputmode: 'email', autocomplete: 'off', autocapitalize: 'none', maxlength: 254 }}
    />
    <Field
      name="Telefono"
      label="Teléfono de la persona"
      value={given?.Telefono}
      errors={errors}
      optional
      hint="Todas sus cifras, como las dejó. Con correo y teléfono se alcanza lo que tenga cualquiera de los dos."
      more={{ type: 'tel', inputmode: 'tel', autocomplete: 'off', maxlength: 40 }}
    />
    <Select
      name="Modo"
      label="Dónde"
      value={given?.Modo}
      errors={errors}
      optional
      placeholder="En producción y en prueba"
      choices={MODOS}
    />
  </>
)
