import { fullName, isMailAddress, MAIL_CHARACTERS } from '../../accounts/account.ts'
import type { Modo } from '../../apps/app.ts'
import { type Errors, notFound } from '../../http/problems.ts'
import {
  findSuppression,
  listSuppressions,
  type Person,
  previewSuppression,
  type Suppression,
  type SuppressionPreview,
  suppress,
} from '../../resources/consultas/suppress.ts'
import { FaultList, Field, Select } from '../fields.tsx'
import { formOf, formRoute, linesOf } from '../form.ts'
import { formatDay, inFigures, Moment } from '../format.tsx'
import { defineList, orderedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { Facts, SecondaryLink } from '../parts.tsx'
import { type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { momentColumn } from '../table.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages, MODO_NAMES, MODOS } from './context.tsx'

const SUPRESIONES = '/consola/supresiones'

/** The person to erase, as it was filled in. */
interface GivenPerson {
  Email: string
  Telefono: string
  Modo: string
}

interface Refused {
  given: GivenPerson
  errors: Errors
}

/** Requests to erase a person: the form of a new one, and those that were done, which no longer name anybody. */
const SUPRESIONES_LIST = defineList({
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
    momentColumn('Cuándo', ctx, ({ at }) => at),
    {
      head: 'Quién la atendió',
      cell: ({ by }) => (by ? fullName(by) : 'Línea de comandos'),
      text: ({ by }) => by?.email ?? '',
    },
    { head: 'Consultas', number: true, value: ({ consultas }) => consultas },
    { head: 'Eventos', number: true, value: ({ eventos }) => eventos },
    { head: 'Correos', number: true, value: ({ correos }) => correos },
    { head: 'Apps', number: true, value: ({ apps }) => apps },
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

const FEWEST_DIGITS = 6

/** /consola/supresiones: the right to be forgotten (docs/decisions.md). The person is only in forms, never in an address. */
export function suppressionsRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal } = deps

  const showRefused = serveList(app, '/supresiones', deps, SUPRESIONES_LIST)

  app.post('/supresiones', formRoute(MAIL_CHARACTERS + MAX_TELEPHONE), async (request, reply) => {
    const { ctx } = request
    const given = givenIn(formOf(request))
    const errors = faults(given)
    if (errors) return showRefused(reply, ctx, { given, errors })
    await ctx.audit('supresion.prever', '')
    return page(reply, reachPage({ ctx, given, reach: await previewSuppression(store, seal, personOf(given)) }))
  })

  app.post('/supresiones/suprimir', formRoute(MAIL_CHARACTERS + MAX_TELEPHONE), async (request, reply) => {
    const { ctx } = request
    const given = givenIn(formOf(request))
    const errors = faults(given)
    if (errors) return showRefused(reply, ctx, { given, errors })
    const { id } = await suppress(deps, personOf(given), { accountId: ctx.account.id, via: 'consola' })
    return redirectWithNotice(reply, 'suprimida', `${SUPRESIONES}/${id}`)
  })

  app.get<{ Params: { id: string } }>('/supresiones/:id', async ({ ctx, params }, reply) => {
    const suppression = await findSuppression(store, params.id)
    if (!suppression) throw notFound('No hay una constancia así.')
    return page(reply, receiptPage({ ctx, suppression }))
  })
}

const givenIn = (form: URLSearchParams): GivenPerson => linesOf(form, ['Email', 'Telefono', 'Modo'])

const MAX_TELEPHONE = 30 // characters, as an inquiry has it

function faults({ Email, Telefono, Modo }: GivenPerson): Errors | undefined {
  const errors: Errors = {}
  if (!Email && !Telefono) errors.Email = ['Indique el correo o el teléfono de la persona.']
  if (Email && !isMailAddress(Email.toLowerCase())) errors.Email = ['Escriba un correo, por ejemplo nombre@correo.com.']
  if (Telefono && Telefono.replace(/\D/g, '').length < FEWEST_DIGITS)
    errors.Telefono = ['Escriba el número completo, como lo dejó la persona.']
  if (Telefono.length > MAX_TELEPHONE) errors.Telefono = [`Puede tener hasta ${MAX_TELEPHONE} caracteres.`]
  if (Modo && !MODO_NAMES.some((known) => known === Modo)) errors.Modo = ['Elija producción o prueba.']
  return Object.keys(errors).length > 0 ? errors : undefined
}

const personOf = ({ Email, Telefono, Modo }: GivenPerson): Person => ({
  email: Email || undefined,
  telefono: Telefono || undefined,
  modo: (Modo || undefined) as Modo | undefined,
})

interface ReachProps {
  ctx: ConsoleContext
  given: GivenPerson
  reach: SuppressionPreview
}

const counted = (count: number, one: string, many: string) => (
  <>
    <strong>{inFigures(count)}</strong> {count === 1 ? one : many}
  </>
)

/** What would be erased, and the button that erases it. */
function reachPage({ ctx, given, reach }: ReachProps) {
  const who = [given.Email, given.Telefono].filter(Boolean).join(' o ')
  const nothing = reach.consultas === 0
  return (
    <ConsolePage
      ctx={ctx}
      title={nothing ? 'No hay nada de esa persona' : '¿Suprimir a esta persona?'}
      section={SUPRESIONES}
      above={{ href: SUPRESIONES, label: 'Supresiones' }}
      lead={
        <p>
          <strong>{who}</strong>
          {given.Modo && `, en ${given.Modo === 'prueba' ? 'prueba' : 'producción'}`}
        </p>
      }
    >
      {nothing ? (
        <p>
          Ninguna consulta tiene ese correo o teléfono. Puede atender el pedido igual: queda la constancia de que se
          buscó y no se encontró nada.
        </p>
      ) : (
        <ul>
          <li>
            {counted(reach.consultas, 'consulta', 'consultas')} en {counted(reach.agencias, 'agencia', 'agencias')}:
            quedan, sin la persona.
          </li>
          <li>
            {counted(reach.eventos, 'evento se vacía', 'eventos se vacían')}, también lo que espera ser entregado.
          </li>
          <li>{counted(reach.correos, 'correo se borra', 'correos se borran')}.</li>
          <li>
            {counted(reach.apps, 'app que la recibió se entera', 'apps que la recibieron se enteran')} con{' '}
            <code>consulta.suprimida</code>.
          </li>
        </ul>
      )}
      {reach.relacionadas > 0 && (
        <p class="notice">
          {counted(reach.relacionadas, 'consulta más comparte', 'consultas más comparten')} un correo o un teléfono con
          estas, y queda{reach.relacionadas === 1 ? '' : 'n'}: puede ser de la misma persona, o de otra que lo comparte.
          Pregúntele, y atienda también ese correo o teléfono.
        </p>
      )}
      {reach.before.length > 0 && (
        <p>
          Ya se pidió antes:{' '}
          {reach.before.map(({ id, at }, which) => (
            <span key={id}>
              {which > 0 && ', '}
              <a href={`${SUPRESIONES}/${id}`}>
                <Moment at={at} when={ctx} />
              </a>
            </span>
          ))}
          .
        </p>
      )}
      <p>
        <strong>No se puede deshacer.</strong> Asegúrese de que el pedido es de la persona misma.
      </p>
      <form method="post" action={`${SUPRESIONES}/suprimir`} class="row">
        {Object.entries(given).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" class="danger">
          {nothing ? 'Dejar constancia' : 'Sí, suprimir para siempre'}
        </button>
        <SecondaryLink href={SUPRESIONES}>No, volver</SecondaryLink>
      </form>
    </ConsolePage>
  )
}

interface ReceiptProps {
  ctx: ConsoleContext
  suppression: Suppression
}

/** The proof that a person's data were erased. */
const receiptPage = ({ ctx, suppression: { id, at, by, ...reached } }: ReceiptProps) => (
  <ConsolePage
    ctx={ctx}
    title="Constancia de supresión"
    section={SUPRESIONES}
    above={{ href: SUPRESIONES, label: 'Supresiones' }}
    lead={
      <p>
        <code>{id}</code>
      </p>
    }
  >
    <section>
      <Facts
        rows={[
          ['Cuándo', <Moment at={at} when={ctx} />],
          ['Quién la atendió', by ? fullName(by) : 'Línea de comandos'],
          ['Consultas sin la persona', inFigures(reached.consultas)],
          ['Eventos vaciados', inFigures(reached.eventos)],
          ['Respuestas de apps olvidadas', inFigures(reached.respuestas)],
          ['Correos borrados', inFigures(reached.correos)],
          [
            'Consultas que quedan y comparten correo o teléfono',
            reached.relacionadas > 0 && inFigures(reached.relacionadas),
          ],
          ['Apps avisadas', inFigures(reached.apps)],
        ]}
      />
    </section>
    <section>
      <h2>Para responderle a la persona</h2>
      <blockquote>
        <p>
          El {formatDay(at, ctx.timeZone)} suprimimos sus datos personales de nuestros registros, como nos pidió.
          {reached.apps > 0 &&
            ` También avisamos a ${reached.apps === 1 ? 'la empresa que los había recibido' : `las ${reached.apps} empresas que los habían recibido`} para que hagan lo mismo.`}{' '}
          La constancia es {id}.
        </p>
      </blockquote>
      <p class="hint">
        La constancia no nombra a la persona: si vuelve a pedirlo, se la reconoce sin guardar quién es.
      </p>
    </section>
  </ConsolePage>
)
