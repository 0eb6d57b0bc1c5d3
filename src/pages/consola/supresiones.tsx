import type { FastifyReply } from 'fastify'
import { fullName, isMailAddress, MAIL_CHARACTERS } from '../../accounts/account.ts'
import type { Modo } from '../../apps/app.ts'
import { type Errors, notFound } from '../../http/problems.ts'
import {
  type Erasure,
  type ErasurePreview,
  erasePerson,
  findErasure,
  listErasures,
  type Person,
  previewErasure,
} from '../../resources/consultas/erase-person.ts'
import { Form, Hidden } from '../fields.tsx'
import { formRoute } from '../form.ts'
import { Fields, type FormFields, type Refused, readFields } from '../form-fields.tsx'
import { formatDay, formatNumber, Moment } from '../format.tsx'
import { defineList, orderedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { Facts, SecondaryLink, Section } from '../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { column, momentColumn } from '../table.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages, MODO_FIELD } from './context.tsx'

const SUPRESIONES = '/consola/supresiones'

const MIN_DIGITS = 6
const MAX_TELEPHONE = 30 // characters, as an inquiry has it

const FIELDS = {
  Email: {
    label: 'Correo de la persona',
    hint: 'Como lo dejó al consultar.',
    optional: true,
    more: { type: 'email', inputmode: 'email', autocomplete: 'off', autocapitalize: 'none', maxlength: 254 },
    check: (email) => !isMailAddress(email.toLowerCase()) && 'Escriba un correo, por ejemplo nombre@correo.com.',
  },
  Telefono: {
    label: 'Teléfono de la persona',
    hint: 'Todas sus cifras, como las dejó. Con correo y teléfono se alcanza lo que tenga cualquiera de los dos.',
    optional: true,
    max: MAX_TELEPHONE,
    more: { type: 'tel', inputmode: 'tel', autocomplete: 'off', maxlength: 40 },
    check: (telephone) =>
      telephone.replace(/\D/g, '').length < MIN_DIGITS && 'Escriba el número completo, como lo dejó la persona.',
  },
  Modo: { ...MODO_FIELD, label: 'Dónde', optional: true, placeholder: 'En producción y en prueba' },
} satisfies FormFields

type Given = Refused<keyof typeof FIELDS>['given']

/** Requests to erase a person: the form of a new one, and those that were done, which no longer name anybody. */
const SUPRESIONES_LIST = defineList({
  audience: CONSOLE,
  section: SUPRESIONES,
  title: 'Supresiones',
  intro:
    'Cuando una persona pide que se borren sus datos: de consultas, eventos, respuestas y correos. Las consultas quedan, sin la persona, y les avisamos a las apps que las recibieron.',
  filters: {},
  load: ({ store }, request) => orderedPage(request, 'id', (cursor) => listErasures(store, cursor)),
  top: (refused: Refused | undefined) => (
    <Section title="Atender un pedido">
      <Form action={SUPRESIONES} errors={refused?.errors} button="Ver qué alcanza" class="sheet">
        <Fields fields={FIELDS} {...refused} />
        <p class="hint">Primero verá qué datos se borrarán.</p>
      </Form>
    </Section>
  ),
  heading: 'Pedidos atendidos',
  columns: (ctx) => [
    column<Erasure, 'id'>('Constancia', 'id', (id) => (
      <a href={`${SUPRESIONES}/${id}`}>
        <code>{id}</code>
      </a>
    )),
    momentColumn('Cuándo', ctx, ({ at }: Erasure) => at),
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
})

/** /consola/supresiones: erasure of a person's data (docs/decisions.md). The person is only in forms, never in an address. */
export function erasureRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal } = deps

  const showRefused = serveList(app, '/supresiones', deps, SUPRESIONES_LIST)

  /** Serves the form at `path`: first what it would erase, then to erase it. */
  const servePerson = (path: string, act: (reply: FastifyReply, ctx: ConsoleContext, given: Given) => unknown) =>
    app.post(path, formRoute(MAIL_CHARACTERS + MAX_TELEPHONE), ({ ctx, form }, reply) => {
      const { given, errors } = readFields(FIELDS, form, nobodyFault)
      return errors ? showRefused(reply, ctx, { given, errors }) : act(reply, ctx, given)
    })

  servePerson('/supresiones', async (reply, ctx, given) => {
    await ctx.audit('supresion.prever', '')
    return page(reply, reachPage(ctx, given, await previewErasure(store, seal, personOf(given))))
  })

  servePerson('/supresiones/suprimir', async (reply, ctx, given) => {
    const { id } = await erasePerson(deps, personOf(given), { accountId: ctx.account.id, via: 'consola' })
    return redirectWithNotice(reply, 'suprimida', `${SUPRESIONES}/${id}`)
  })

  app.get<ById>('/supresiones/:id', async ({ ctx, params }, reply) => {
    const erasure = await findErasure(store, params.id)
    if (!erasure) throw notFound('No hay una constancia así.')
    return page(reply, receiptPage(ctx, erasure))
  })
}

const nobodyFault = ({ Email, Telefono }: Given): Errors =>
  Email || Telefono ? {} : { Email: ['Indique el correo o el teléfono de la persona.'] }

const personOf = ({ Email, Telefono, Modo }: Given): Person => ({
  email: Email || undefined,
  telefono: Telefono || undefined,
  modo: (Modo || undefined) as Modo | undefined,
})

const counted = (count: number, one: string, many: string) => (
  <>
    <strong>{formatNumber(count)}</strong> {count === 1 ? one : many}
  </>
)

function reachPage(ctx: ConsoleContext, given: Given, reach: ErasurePreview) {
  const contacts = [given.Email, given.Telefono].filter(Boolean).join(' o ')
  const nothing = reach.consultas === 0
  return (
    <ConsolePage
      ctx={ctx}
      title={nothing ? 'No hay nada de esa persona' : '¿Suprimir a esta persona?'}
      section={SUPRESIONES}
      parentLink={{ href: SUPRESIONES, label: 'Supresiones' }}
      intro={
        <p>
          <strong>{contacts}</strong>
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
            Les avisamos con <code>consulta.suprimida</code> a{' '}
            {counted(reach.apps, 'app que la recibió', 'apps que la recibieron')}.
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
          {reach.before.map(({ id, at }, index) => (
            <span key={id}>
              {index > 0 && ', '}
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
        <Hidden values={given} />
        <button type="submit" class="danger">
          {nothing ? 'Dejar constancia' : 'Sí, suprimir para siempre'}
        </button>
        <SecondaryLink href={SUPRESIONES}>No, volver</SecondaryLink>
      </form>
    </ConsolePage>
  )
}

/** The proof that a person's data were erased. */
const receiptPage = (ctx: ConsoleContext, { id, at, by, ...reached }: Erasure) => (
  <ConsolePage
    ctx={ctx}
    title="Constancia de supresión"
    section={SUPRESIONES}
    parentLink={{ href: SUPRESIONES, label: 'Supresiones' }}
    intro={
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
          ['Consultas sin la persona', formatNumber(reached.consultas)],
          ['Eventos vaciados', formatNumber(reached.eventos)],
          ['Respuestas de apps olvidadas', formatNumber(reached.respuestas)],
          ['Correos borrados', formatNumber(reached.correos)],
          [
            'Consultas que quedan y comparten correo o teléfono',
            reached.relacionadas > 0 && formatNumber(reached.relacionadas),
          ],
          ['Apps avisadas', formatNumber(reached.apps)],
        ]}
      />
    </section>
    <Section title="Para responderle a la persona">
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
    </Section>
  </ConsolePage>
)
