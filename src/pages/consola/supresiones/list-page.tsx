import { fullName } from '../../../accounts/account.ts'
import { written } from '../../../http/markup.ts'
import type { Errors } from '../../../http/problems.ts'
import type { Suppression } from '../../../resources/consultas/suppressions.ts'
import { FaultList, Field, Select } from '../../fields.tsx'
import { Moment } from '../../moment.tsx'
import { type Column, Pager, type PagerProps, Table } from '../../table.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { MODOS } from '../modo.tsx'

export const SUPRESIONES = '/consola/supresiones'

/** Who asks, as it was written. */
export interface Asked {
  Email: string
  Telefono: string
  Modo: string
}

interface Props {
  ctx: ConsoleContext
  rows: Suppression[]
  ways: PagerProps
  /** What was filled in, where it was refused. */
  given?: Asked | undefined
  errors?: Errors | undefined
}

/** Requests to be forgotten: a new one, and those that were carried out. */
export const suppressionsPage = ({ ctx, rows, ways, given, errors }: Props) => (
  <ConsolePage
    ctx={ctx}
    title="Supresiones"
    current={SUPRESIONES}
    faulty={Boolean(errors)}
    lead={
      <p>
        Cuando una persona pide que se borren sus datos: de consultas, eventos, respuestas y correos. Las consultas
        quedan, sin la persona, y las apps que las recibieron se enteran.
      </p>
    }
  >
    <section>
      <h2>Atender un pedido</h2>
      <form method="post" action={SUPRESIONES} class="sheet" novalidate>
        {errors ? <Fields given={given} errors={errors} /> : EMPTY_FIELDS}
        <p class="hint">Nada se borra todavía: primero se muestra qué se alcanza.</p>
        <button type="submit">Ver qué alcanza</button>
      </form>
    </section>
    <section>
      <h2>Pedidos atendidos</h2>
      <Table
        caption="Pedidos atendidos"
        columns={suppressionColumns(ctx)}
        rows={rows}
        keyOf={({ id }) => id}
        empty={<p>Todavía no se atendió ninguno. Cuando se atienda, aquí queda su constancia.</p>}
      />
      <Pager {...ways} />
    </section>
  </ConsolePage>
)

const Fields = ({ given, errors }: Pick<Props, 'given' | 'errors'>) => (
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

const EMPTY_FIELDS = written(<Fields />)

/** Of the person nothing is left to show. */
export const suppressionColumns = (ctx: ConsoleContext): Column<Suppression>[] => [
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
]
