import type { FastifyReply } from 'fastify'
import { fullName, isMailAddress, MAIL_CHARACTERS } from '../../accounts/account.ts'
import type { Modo } from '../../apps/app.ts'
import type { Errors } from '../../http/problems.ts'
import { message, rich, t } from '../../i18n/messages.tsx'
import { hasTelephoneDigits } from '../../phone.ts'
import {
  type Erasure,
  type ErasurePreview,
  erasePerson,
  findErasure,
  listErasures,
  type Person,
  previewErasure,
} from '../../resources/consultas/erase-person.ts'
import { Acts, EMAIL_INPUT, Form, Hidden } from '../fields.tsx'
import { formRoute } from '../form.ts'
import { Fields, type FormFields, type Refused, readFields } from '../form-fields.tsx'
import { formatDay, formatNumber, Moment } from '../format.tsx'
import { defineList, orderedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { requireFound } from '../params.ts'
import { Facts, SecondaryLink, Section } from '../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { column, momentColumn, RowLink } from '../table.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages, modoField } from './context.tsx'

const SUPRESIONES = '/consola/supresiones'

const MAX_TELEPHONE = 30 // characters, as an inquiry has it

const personFields = () =>
  ({
    Email: {
      label: t('consola.erasure.email'),
      hint: t('consola.erasure.email.hint'),
      optional: true,
      more: { ...EMAIL_INPUT, autocomplete: 'off', maxlength: MAIL_CHARACTERS },
      check: (email) => !isMailAddress(email.toLowerCase()) && t('consola.erasure.email.fault'),
    },
    Telefono: {
      label: t('consola.erasure.telephone'),
      hint: t('consola.erasure.telephone.hint'),
      optional: true,
      max: MAX_TELEPHONE,
      more: { type: 'tel', inputmode: 'tel', autocomplete: 'off', maxlength: 40 },
      check: (telephone) => !hasTelephoneDigits(telephone) && t('consola.erasure.telephone.fault'),
    },
    Modo: {
      ...modoField(),
      label: t('consola.erasure.where'),
      optional: true,
      placeholder: t('consola.erasure.everywhere'),
    },
  }) satisfies FormFields

type Given = Refused<keyof ReturnType<typeof personFields>>['given']

/** Requests to erase a person: the form of a new one, and those that were done, which no longer name anybody. */
const SUPRESIONES_LIST = defineList(() => ({
  audience: CONSOLE,
  section: SUPRESIONES,
  title: t('consola.erasure.title'),
  intro: t('consola.erasure.intro'),
  filters: {},
  load: ({ store }, request) => orderedPage(request, 'id', (cursor) => listErasures(store, cursor)),
  top: (refused: Refused | undefined) => (
    <Acts>
      <Section title={t('consola.erasure.request')}>
        <Form action={SUPRESIONES} button={t('consola.erasure.preview')} class="sheet" {...refused}>
          <Fields fields={personFields()} />
          <p class="hint">{t('consola.erasure.previewFirst')}</p>
        </Form>
      </Section>
    </Acts>
  ),
  heading: t('consola.erasure.heading'),
  columns: (ctx) => [
    column<Erasure, 'id'>(t('consola.erasure.receipt'), 'id', (id) => (
      <RowLink href={`${SUPRESIONES}/${id}`}>
        <code>{id}</code>
      </RowLink>
    )),
    momentColumn(t('consola.head.when'), ctx, ({ at }: Erasure) => at),
    {
      head: t('consola.erasure.by'),
      cell: ({ by }) => (by ? fullName(by) : t('consola.erasure.commandLine')),
      text: ({ by }) => by?.email ?? '',
    },
    { head: t('consola.nav.consultas'), number: true, value: ({ consultas }) => consultas },
    { head: t('consola.erasure.events'), number: true, value: ({ eventos }) => eventos },
    { head: t('consola.nav.correos'), number: true, value: ({ correos }) => correos },
    { head: t('consola.nav.apps'), number: true, value: ({ apps }) => apps },
  ],
  empty: {
    none: t('consola.erasure.none'),
    noMatch: t('consola.erasure.noMore'),
    all: t('consola.filter.seeAll.m'),
  },
}))

/** /consola/supresiones: erasure of a person's data (docs/decisions/reading-inquiries.md). The person is only in forms, never in an address. */
export function erasureRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps

  const showRefused = serveList(app, '/supresiones', deps, SUPRESIONES_LIST)

  /** Serves the form at `path`: first what it would erase, then to erase it. */
  const servePerson = (path: string, act: (reply: FastifyReply, ctx: ConsoleContext, given: Given) => unknown) =>
    app.post(path, formRoute(MAIL_CHARACTERS + MAX_TELEPHONE), ({ ctx, form }, reply) => {
      const { given, errors } = readFields(personFields(), form, nobodyFault)
      return errors ? showRefused(reply, ctx, { given, errors }) : act(reply, ctx, given)
    })

  servePerson('/supresiones', async (reply, ctx, given) => {
    await ctx.audit('supresion.prever', '')
    return page(reply, reachPage(ctx, given, await previewErasure(store, seal, personOf(given), config.country)))
  })

  servePerson('/supresiones/suprimir', async (reply, ctx, given) => {
    const { id, consultas } = await erasePerson(deps, personOf(given), { accountId: ctx.account.id, via: 'consola' })
    return redirectWithNotice(reply, consultas > 0 ? 'suprimida' : 'supresion-sin-datos', `${SUPRESIONES}/${id}`)
  })

  app.get<ById>('/supresiones/:id', async ({ ctx, params }, reply) => {
    const erasure = requireFound(await findErasure(store, params.id), message('consola.erasure.noSuch'))
    return page(reply, receiptPage(ctx, erasure))
  })
}

const nobodyFault = ({ Email, Telefono }: Given): Errors =>
  Email || Telefono ? {} : { Email: [t('consola.erasure.nobody')] }

const personOf = ({ Email, Telefono, Modo }: Given): Person => ({
  email: Email || undefined,
  telefono: Telefono || undefined,
  modo: (Modo || undefined) as Modo | undefined,
})

function reachPage(ctx: ConsoleContext, given: Given, reach: ErasurePreview) {
  const { modo } = personOf(given)
  const nothing = reach.consultas === 0
  return (
    <ConsolePage
      ctx={ctx}
      title={t(nothing ? 'consola.erasure.nothing.title' : 'consola.erasure.confirm.title')}
      parentLink={{ href: SUPRESIONES, label: t('consola.nav.supresiones') }}
      intro={
        <p>
          {given.Email && given.Telefono ? (
            rich('consola.erasure.contacts', { email: given.Email, telephone: given.Telefono })
          ) : (
            <strong>{given.Email || given.Telefono}</strong>
          )}
          {modo && ', '}
          {modo && t(`consola.erasure.inMode.${modo}`)}
        </p>
      }
    >
      {nothing ? (
        <p>{t('consola.erasure.nothing.text')}</p>
      ) : (
        <ul>
          <li>{rich('consola.erasure.reach.inquiries', { inquiries: reach.consultas, agencies: reach.agencias })}</li>
          <li>{rich('consola.erasure.reach.events', { count: reach.eventos })}</li>
          <li>{rich('consola.erasure.reach.emails', { count: reach.correos })}</li>
          <li>{rich('consola.erasure.reach.apps', { count: reach.apps })}</li>
        </ul>
      )}
      {reach.relacionadas > 0 && (
        <p class="notice attention">{rich('consola.erasure.related', { count: reach.relacionadas })}</p>
      )}
      {reach.before.length > 0 && (
        <p>
          {rich('consola.erasure.before', {
            list: (
              <>
                {reach.before.map(({ id, at }, index) => (
                  <span key={id}>
                    {index > 0 && '; '}
                    <a href={`${SUPRESIONES}/${id}`}>
                      <Moment at={at} when={ctx} />
                    </a>
                  </span>
                ))}
              </>
            ),
          })}
        </p>
      )}
      {!nothing && <p>{rich('consola.erasure.final')}</p>}
      <form method="post" action={`${SUPRESIONES}/suprimir`} class="row">
        <Hidden values={given} />
        <button type="submit" class={nothing ? undefined : 'danger'}>
          {t(nothing ? 'consola.erasure.record' : 'consola.erasure.button')}
        </button>
        <SecondaryLink href={SUPRESIONES}>{t('comun.confirm.back')}</SecondaryLink>
      </form>
    </ConsolePage>
  )
}

/** The proof that a person's data were erased. */
const receiptPage = (ctx: ConsoleContext, { id, at, by, ...reached }: Erasure) => (
  <ConsolePage
    ctx={ctx}
    title={t('consola.erasure.receipt.title')}
    parentLink={{ href: SUPRESIONES, label: t('consola.nav.supresiones') }}
    intro={
      <p>
        <code>{id}</code>
      </p>
    }
  >
    <section class="reached">
      <Facts
        rows={[
          [t('consola.head.when'), <Moment at={at} when={ctx} />],
          [t('consola.erasure.by'), by ? fullName(by) : t('consola.erasure.commandLine')],
          [t('consola.erasure.fact.inquiries'), formatNumber(reached.consultas)],
          [t('consola.erasure.fact.events'), formatNumber(reached.eventos)],
          [t('consola.erasure.fact.answers'), formatNumber(reached.respuestas)],
          [t('consola.erasure.fact.emails'), formatNumber(reached.correos)],
          [t('consola.erasure.fact.related'), reached.relacionadas > 0 && formatNumber(reached.relacionadas)],
          [t('consola.erasure.fact.apps'), formatNumber(reached.apps)],
        ]}
      />
    </section>
    <Section title={t('consola.erasure.reply')}>
      <blockquote>
        <p>
          {reached.consultas === 0
            ? t('consola.erasure.reply.nothing', { day: formatDay(at, ctx.timeZone), id })
            : t('consola.erasure.reply.text', { day: formatDay(at, ctx.timeZone), apps: reached.apps, id })}
        </p>
      </blockquote>
      <p class="hint">{t('consola.erasure.reply.hint')}</p>
    </Section>
  </ConsolePage>
)
