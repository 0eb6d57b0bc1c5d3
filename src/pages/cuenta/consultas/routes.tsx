import { fullName } from '../../../accounts/account.ts'
import type { Country } from '../../../config.ts'
import { fault, invalid, notFound } from '../../../http/problems.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { phoneLinks } from '../../../phone.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { autoOf, type Consulta, ESTADOS, interesadoOf } from '../../../resources/consultas/consulta.ts'
import { changeEstado } from '../../../resources/consultas/estado.ts'
import { formatOperation, money } from '../../../resources/consultas/labels.ts'
import { findConsulta } from '../../../resources/consultas/read.ts'
import { momentOf } from '../../../ulid.ts'
import { CONFIRMATION_FORM } from '../../form.ts'
import { formatNumber, Moment } from '../../format.tsx'
import {
  consultaCar,
  consultaFacts,
  ESTADO_LABELS,
  EstadoBadge,
  INTERES_LABELS,
  isErased,
  personName,
} from '../../labels.tsx'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { ButtonLink, type Fact, Facts, Section } from '../../parts.tsx'
import { type BySid, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import {
  type AccountContext,
  type AccountPages,
  type AgencyContext,
  AgencyPage,
  agencyPath,
  type OwnAgencia,
} from '../context.tsx'
import { CONSULTAS, CONSULTAS_LIST, scopeOf } from './list.tsx'

/** /cuenta/consultas, …/{sid}, …/{sid}/estado: inquiries, for the people who answer them. The audit log has each read. */
export function accountConsultasRoutes(app: AccountPages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/consultas', deps, CONSULTAS_LIST)

  /** An inquiry of an agency where the person works, if they may see it; the same 404 for every reason. */
  async function find(ctx: AccountContext, sid: string): Promise<{ agencia: OwnAgencia; consulta: Consulta }> {
    for (const agencia of ctx.all) {
      const consulta = await findConsulta(store, scopeOf({ ...ctx, agencia }), sid)
      if (consulta) return { agencia, consulta }
    }
    throw notFound(t('cuenta.inquiries.noSuch'))
  }

  app.get<BySid>('/consultas/:sid', async ({ params: { sid }, ctx: own }, reply) => {
    const { agencia, consulta } = await find(own, sid)
    const ctx = { ...own, agencia }
    await ctx.audit('consulta.leer', sid)
    const { repite } = consulta
    const first = repite ? await findConsulta(store, scopeOf(ctx), repite) : undefined
    return page(reply, consultaPage({ ctx, consulta, first: first?.sid }))
  })

  app.post<BySid>('/consultas/:sid/estado', CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
    const { sid } = params
    const given = form.get('Estado')
    const estado = ESTADOS.find((each) => each === given)
    if (!estado) throw invalid({ Estado: [fault('opcion', t('cuenta.inquiries.noSuchState'))] })
    const { agencia } = await find(ctx, sid)
    await changeEstado(deps, { agencia, scope: scopeOf({ ...ctx, agencia }), sid, estado })
    return redirectWithNotice(reply, 'estado', `${CONSULTAS}/${sid}`)
  })
}

/** One inquiry: the person and how to answer, the car, the state. `first` is the one that it repeats, if they may see it. */
function consultaPage({ ctx, consulta, first }: { ctx: AgencyContext; consulta: Consulta; first: string | undefined }) {
  const { Comentario, Nombre } = interesadoOf(consulta)
  return (
    <AgencyPage
      ctx={ctx}
      section="/cuenta/consultas"
      parentLink={{ href: agencyPath(ctx, '/cuenta/consultas'), label: t('cuenta.inquiries.title') }}
      title={personName(consulta)}
      intro={
        <p class="facts">
          <EstadoBadge estado={consulta.estado} />
          <Moment at={momentOf(consulta.sid)} when={ctx} />
        </p>
      }
    >
      <div class="measure inquiry">
        {isErased(consulta) ? (
          <p class="empty">{t('cuenta.inquiry.erased')}</p>
        ) : (
          <Answer consulta={consulta} country={ctx.country} />
        )}
        {consulta.repite && (
          <p>
            {first
              ? rich('cuenta.inquiry.repeats', {
                  link: (text) => <a href={`/cuenta/consultas/${first}`}>{text}</a>,
                })
              : t('cuenta.inquiry.repeatsOther')}
          </p>
        )}
        {Comentario && (
          <figure class="message">
            <figcaption>
              {Nombre ? t('cuenta.inquiry.messageOf', { name: Nombre }) : t('cuenta.inquiry.message')}
            </figcaption>
            <blockquote>{Comentario}</blockquote>
          </figure>
        )}
        <Work consulta={consulta} />
        <Section title={t('cuenta.inquiry.car')}>
          <Facts rows={carFacts(consulta)} />
        </Section>
        <Section title={t('cuenta.inquiry.facts')}>
          <Facts rows={inquiryFacts(consulta, ctx.agencia)} />
        </Section>
      </div>
    </AgencyPage>
  )
}

/** The ways to answer, large enough for a thumb. */
function Answer({ consulta, country }: { consulta: Consulta; country: Country }) {
  const { Email, Telefono } = interesadoOf(consulta)
  const { Marca, Modelo } = autoOf(consulta)
  const subject = encodeURIComponent(t('cuenta.inquiry.subject', { car: `${Marca} ${Modelo}` }))
  const phone = Telefono === null ? undefined : phoneLinks(Telefono, country)
  return (
    <p class="row answer">
      {phone && <ButtonLink href={phone.tel}>{t('cuenta.inquiry.call', { number: Telefono })}</ButtonLink>}
      {phone?.whatsapp && (
        <a class="button secondary" href={phone.whatsapp} rel="noreferrer">
          WhatsApp
        </a>
      )}
      {Email && (
        <a
          class={Telefono ? 'button secondary' : 'button'}
          href={`mailto:${encodeURIComponent(Email).replace('%40', '@')}?subject=${subject}`}
        >
          {t('cuenta.inquiry.write', { email: Email })}
        </a>
      )}
    </p>
  )
}

/** A button for each other state, so that it works without scripts. */
const Work = ({ consulta }: { consulta: Consulta }) => (
  <Section title={t('cuenta.list.state')}>
    <form method="post" action={`/cuenta/consultas/${consulta.sid}/estado`}>
      <p class="hint">{t('cuenta.inquiry.markAs', { state: ESTADO_LABELS[consulta.estado] })}</p>
      <div class="row">
        {ESTADOS.filter((estado) => estado !== consulta.estado).map((estado) => (
          <button key={estado} type="submit" name="Estado" value={estado} class="secondary">
            {ESTADO_LABELS[estado]}
          </button>
        ))}
      </div>
    </form>
  </Section>
)

function carFacts(consulta: Consulta): Fact[] {
  const auto = autoOf(consulta)
  return [
    [t('cuenta.column.car'), consultaCar(consulta)],
    [t('cuenta.column.price'), auto.Precio && money(auto.Precio)],
    [t('cuenta.column.km'), auto.Kilometraje === null ? null : formatNumber(auto.Kilometraje)],
    [t('cuenta.column.colour'), auto.Color],
    [t('cuenta.column.listing'), auto.ExternalId],
    [t('cuenta.column.stock'), auto.RefStock],
    [
      t('cuenta.column.about'),
      t(consulta.tipoAnuncio === 'catalogo' ? 'cuenta.inquiry.ofCatalogue' : 'cuenta.inquiry.ofListing'),
    ],
  ]
}

function inquiryFacts(consulta: Consulta, { operadores }: Agencia): Fact[] {
  const person = interesadoOf(consulta)
  const responsible = operadores.find(({ email }) => email === consulta.operador)
  return [
    [t('cuenta.column.interest'), person.Interes && INTERES_LABELS[person.Interes]],
    ...formatOperation(person.InfoOperacion),
    [t('cuenta.column.document'), person.DocIdentidad],
    [t('cuenta.column.lives'), [person.Ciudad, person.Provincia].filter(Boolean).join(', ')],
    ...consultaFacts({ ...consulta, operador: (responsible && fullName(responsible)) || consulta.operador }),
  ]
}
