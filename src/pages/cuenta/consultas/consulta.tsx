import type { Country } from '../../../config.ts'
import { toTimestamp } from '../../../http/dates.ts'
import { formatMoney } from '../../../i18n/format.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { phoneLinks } from '../../../phone.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { autoOf, type Consulta, ESTADOS, interesadoOf } from '../../../resources/consultas/consulta.ts'
import { NOTE_CHARACTERS, timelineOf } from '../../../resources/consultas/history.ts'
import { formatOperation } from '../../../resources/consultas/labels.ts'
import {
  type PublicacionOfConsulta,
  photosOfConsultas,
  publicacionOf,
} from '../../../resources/consultas/publicacion.ts'
import { findConsulta } from '../../../resources/consultas/read.ts'
import { type ReminderTimes, reminderOf } from '../../../resources/consultas/reminders.ts'
import type { Db } from '../../../store/db.ts'
import { momentOf } from '../../../ulid.ts'
import { Area, Field, Form } from '../../fields.tsx'
import type { Refused } from '../../form-fields.tsx'
import { formatNumber, formatPlace, Moment } from '../../format.tsx'
import {
  ConsultaEstadoBadge,
  catalogueLabel,
  consultaCar,
  consultaFacts,
  formatInterest,
  isErased,
  personName,
} from '../../labels.tsx'
import { ButtonLink, type Fact, Facts, PostButton, Section } from '../../parts.tsx'
import { carOf, WithThumbnail } from '../../thumbnail.tsx'
import { AssignOne, isUnassigned, responsibleName } from '../assign.tsx'
import { type AgencyContext, AgencyPage, agencyPath } from '../context.tsx'
import { scopeOf } from './list.tsx'
import { Timeline } from './timeline.tsx'

/**
 * One inquiry: the person and how to answer, its state and who has it, the car, what happened to it. `refused` is a note or a
 * reminder that was not saved.
 */
export async function consultaPage(db: Db, ctx: AgencyContext, consulta: Consulta, refused: Refused | undefined) {
  const { sid, repite } = consulta
  const { Comentario, Nombre } = interesadoOf(consulta)
  const first = repite && (await findConsulta(db, await scopeOf(db, ctx), repite)) // undefined if they may not see it
  const publicacion = await publicacionOf(db, sid)
  const photos = await photosOfConsultas(db, [consulta])
  const timeline = await timelineOf(db, consulta)
  const reminder = await reminderOf(db, sid, ctx.account.id)
  return (
    <AgencyPage
      ctx={ctx}
      parentLink={{ href: agencyPath(ctx, '/cuenta/consultas'), label: t('cuenta.inquiries.title') }}
      title={personName(consulta)}
      intro={
        <p class="facts">
          <ConsultaEstadoBadge estado={consulta.estado} />
          <Moment at={momentOf(consulta.sid)} when={ctx} />
        </p>
      }
    >
      <div class="inquiry">
        <div class="first">
          {isErased(consulta) ? (
            <p class="empty">{t('cuenta.inquiry.erased')}</p>
          ) : (
            <Answer consulta={consulta} country={ctx.country} />
          )}
          {repite && (
            <p>
              {first
                ? rich('cuenta.inquiry.repeats', {
                    link: (text) => <a href={`/cuenta/consultas/${first.sid}`}>{text}</a>,
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
        </div>
        <div class="side">
          <Work consulta={consulta} />
          <Responsible ctx={ctx} consulta={consulta} />
          {!isErased(consulta) && <Remind ctx={ctx} sid={sid} reminder={reminder} refused={refused} />}
        </div>
        <div>
          <Section title={t('cuenta.inquiry.car')}>
            <WithThumbnail car={carOf(consulta)} photo={photos.get(sid)} ctx={ctx}>
              <strong>{consultaCar(consulta)}</strong>
            </WithThumbnail>
            <Facts rows={carFacts(consulta)} />
            {publicacion && <PublicacionLinks ctx={ctx} consulta={consulta} publicacion={publicacion} />}
          </Section>
          <Section title={t('cuenta.inquiry.facts')}>
            <Facts rows={inquiryFacts(consulta, ctx.agencia)} />
          </Section>
          <Section title={t('bandeja.timeline.title')}>
            <Timeline ctx={ctx} entries={timeline} />
            {!isErased(consulta) && (
              <Form
                action={`/cuenta/consultas/${sid}/notas`}
                button={t('bandeja.note.add')}
                class=""
                withoutFaultList
                {...refused}
              >
                <Area
                  name="Nota"
                  label={t('bandeja.note.label')}
                  hint={t('bandeja.note.hint')}
                  value={refused?.given.Nota}
                  more={{ maxlength: NOTE_CHARACTERS, rows: 3 }}
                />
              </Form>
            )}
          </Section>
        </div>
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

/** A button for each other state, so that it works without scripts. Nobody contacts an erased person. */
const Work = ({ consulta }: { consulta: Consulta }) => (
  <Section title={t('cuenta.list.state')}>
    <form method="post" action={`/cuenta/consultas/${consulta.sid}/estado`}>
      <p class="hint">{t('cuenta.inquiry.markAs', { state: t(`comun.estado.${consulta.estado}`) })}</p>
      <div class="row">
        {ESTADOS.filter((estado) => estado !== consulta.estado && !(estado === 'contactada' && isErased(consulta))).map(
          (estado) => (
            <button key={estado} type="submit" name="Estado" value={estado} class="secondary">
              {t(`comun.estado.${estado}`)}
            </button>
          ),
        )}
      </div>
    </form>
  </Section>
)

/** Who has the inquiry. The administrator gives it to somebody; salespeople take one that nobody has. */
function Responsible({ ctx, consulta }: { ctx: AgencyContext; consulta: Consulta }) {
  const { agencia, account } = ctx
  const unassigned = isUnassigned(agencia, consulta.operador)
  const mayAssign = agencia.operadores.length > 1 && (agencia.rol === 'administrador' || unassigned)
  const name = responsibleName(agencia, consulta.operador)
  return (
    <Section title={t('comun.consulta.assigned')}>
      <p>
        {unassigned
          ? t('bandeja.assign.unassigned', { name })
          : consulta.operador === account.email
            ? t('bandeja.assign.you')
            : name}
      </p>
      {mayAssign && (
        <AssignOne ctx={ctx} action={`/cuenta/consultas/${consulta.sid}/asignar`} operador={consulta.operador} />
      )}
    </Section>
  )
}

interface RemindProps {
  ctx: AgencyContext
  sid: string
  /** When the person wants to be reminded. */
  reminder: ReminderTimes | undefined
  refused: Refused | undefined
}

/** A reminder by email, in the time of the marketplace. */
function Remind({ ctx, sid, reminder, refused }: RemindProps) {
  const action = `/cuenta/consultas/${sid}/recordatorio`
  const localTime = (moment: Date) => toTimestamp(moment, ctx.timeZone).slice(0, 16)
  return (
    <Section title={t('bandeja.reminder.title')}>
      {reminder && (
        <>
          <p>
            {rich(reminder.sentAt ? 'bandeja.reminder.sent' : 'bandeja.reminder.set', {
              moment: <Moment at={reminder.sentAt ?? reminder.dueAt} when={ctx} />,
            })}
          </p>
          <PostButton action={action} class="secondary" hidden={{ quitar: 'si' }}>
            {t('bandeja.reminder.remove')}
          </PostButton>
        </>
      )}
      <Form
        action={action}
        button={t(reminder ? 'bandeja.reminder.move' : 'bandeja.reminder.add')}
        class=""
        buttonClass="secondary"
        withoutFaultList
        {...refused}
      >
        <Field
          name="Momento"
          label={t('bandeja.reminder.label')}
          hint={t('bandeja.reminder.hint')}
          value={refused?.given.Momento ?? (reminder && localTime(reminder.dueAt))}
          more={{ type: 'datetime-local', min: localTime(ctx.now) }}
        />
      </Form>
    </Section>
  )
}

interface PublicacionLinksProps {
  ctx: AgencyContext
  consulta: Consulta
  publicacion: PublicacionOfConsulta
}

/** The listing, and the other inquiries about it. */
function PublicacionLinks({ ctx, consulta, publicacion }: PublicacionLinksProps) {
  const { ExternalId } = autoOf(consulta)
  if (!ExternalId) return null
  return (
    <p class="row">
      {publicacion.isShown && <a href={`/aviso/${publicacion.id}`}>{t('bandeja.listing.page')}</a>}
      <a href={agencyPath(ctx, '/cuenta/publicaciones', { q: ExternalId })}>{t('bandeja.listing.own')}</a>
      <a href={agencyPath(ctx, '/cuenta/consultas', { aviso: ExternalId })}>{t('bandeja.listing.inquiries')}</a>
    </p>
  )
}

function carFacts(consulta: Consulta): Fact[] {
  const auto = autoOf(consulta)
  return [
    [t('cuenta.column.price'), auto.Precio && formatMoney(auto.Precio)],
    [t('cuenta.column.km'), auto.Kilometraje === null ? null : formatNumber(auto.Kilometraje)],
    [t('cuenta.column.colour'), catalogueLabel('colour', auto.Color)],
    [t('cuenta.column.listing'), auto.ExternalId],
    [t('cuenta.column.stock'), auto.RefStock],
    [
      t('cuenta.column.about'),
      t(consulta.tipoAnuncio === 'catalogo' ? 'cuenta.inquiry.ofCatalogue' : 'cuenta.inquiry.ofListing'),
    ],
  ]
}

function inquiryFacts(consulta: Consulta, agencia: Agencia): Fact[] {
  const person = interesadoOf(consulta)
  return [
    [t('cuenta.column.interest'), formatInterest(person)],
    ...formatOperation(person.InfoOperacion),
    [t('cuenta.column.document'), person.DocIdentidad],
    [t('cuenta.column.lives'), formatPlace(person.Ciudad, person.Provincia)],
    ...consultaFacts({ ...consulta, operador: responsibleName(agencia, consulta.operador) }),
  ]
}
