import { fullName } from '../../../accounts/account.ts'
import type { Country } from '../../../config.ts'
import { fault, invalid, notFound } from '../../../http/problems.ts'
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
    throw notFound('No hay una consulta así entre las que usted ve.')
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
    if (!estado) throw invalid({ Estado: [fault('opcion', 'Ese estado no existe.')] })
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
      parentLink={{ href: agencyPath(ctx, '/cuenta/consultas'), label: 'Consultas' }}
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
          <p class="empty">La persona pidió que se supriman sus datos. La consulta queda, sin ellos.</p>
        ) : (
          <Answer consulta={consulta} country={ctx.country} />
        )}
        {consulta.repite && (
          <p>
            Ya había preguntado por este auto
            {first ? (
              <>
                : <a href={`/cuenta/consultas/${first}`}>ver la primera consulta</a>.
              </>
            ) : (
              '; aquella consulta está a cargo de otra persona.'
            )}
          </p>
        )}
        {Comentario && (
          <figure class="message">
            <figcaption>{Nombre ? `${Nombre} escribió` : 'Escribió'}</figcaption>
            <blockquote>{Comentario}</blockquote>
          </figure>
        )}
        <Work consulta={consulta} />
        <Section title="El auto">
          <Facts rows={carFacts(consulta)} />
        </Section>
        <Section title="La consulta">
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
  const subject = encodeURIComponent(`Su consulta por ${Marca} ${Modelo}`)
  const phone = Telefono === null ? undefined : phoneLinks(Telefono, country)
  return (
    <p class="row answer">
      {phone && <ButtonLink href={phone.tel}>Llamar al {Telefono}</ButtonLink>}
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
          Escribir a {Email}
        </a>
      )}
    </p>
  )
}

/** A button for each other state, so that it works without scripts. */
const Work = ({ consulta }: { consulta: Consulta }) => (
  <Section title="Su trabajo">
    <form method="post" action={`/cuenta/consultas/${consulta.sid}/estado`}>
      <p class="hint">Está {ESTADO_LABELS[consulta.estado].toLowerCase()}. Pasarla a:</p>
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
    ['Auto', consultaCar(consulta)],
    ['Precio', auto.Precio && money(auto.Precio)],
    ['Kilómetros', auto.Kilometraje === null ? null : formatNumber(auto.Kilometraje)],
    ['Color', auto.Color],
    ['Aviso', auto.ExternalId],
    ['Referencia de stock', auto.RefStock],
    ['De dónde', consulta.tipoAnuncio === 'catalogo' ? 'Un modelo del catálogo' : 'Un aviso de la agencia'],
  ]
}

function inquiryFacts(consulta: Consulta, { operadores }: Agencia): Fact[] {
  const person = interesadoOf(consulta)
  const responsible = operadores.find(({ email }) => email === consulta.operador)
  return [
    ['Le interesa', person.Interes && INTERES_LABELS[person.Interes]],
    ...formatOperation(person.InfoOperacion),
    ['Documento', person.DocIdentidad],
    ['Vive en', [person.Ciudad, person.Provincia].filter(Boolean).join(', ')],
    ...consultaFacts({ ...consulta, operador: (responsible && fullName(responsible)) || consulta.operador }),
  ]
}
