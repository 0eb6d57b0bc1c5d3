import { fullName } from '../../../accounts/account.ts'
import { addDays, dayOf, periodOf } from '../../../http/dates.ts'
import { withQuery } from '../../../http/links.ts'
import { t } from '../../../i18n/messages.tsx'
import { lockByAdministrator } from '../../../resources/agencias/edit.ts'
import {
  type InboxSettings,
  inboxSettings,
  SHARING_RULES,
  type SharingOperador,
  saveInbox,
  sharingOperadores,
} from '../../../resources/agencias/inbox.ts'
import { type ResponseTimes, responseTimes } from '../../../resources/consultas/response-times.ts'
import { listSucursales } from '../../../resources/sucursales/store.ts'
import type { Sucursal } from '../../../resources/sucursales/sucursal.ts'
import type { Db } from '../../../store/db.ts'
import { Form, Select, Tick } from '../../fields.tsx'
import { formRoute, isChecked } from '../../form.ts'
import { formatPercent, shortDay } from '../../format.tsx'
import { page } from '../../page.ts'
import { numberParam, type Query, type WithQuery } from '../../params.ts'
import { Facts, Section } from '../../parts.tsx'
import { Bars } from '../../plot.tsx'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { Pager } from '../../table.tsx'
import { formatAge } from '../consultas/age.ts'
import { scopeOf } from '../consultas/list.tsx'
import { type AccountPages, type AgencyContext, AgencyPage, agencyPath, type OwnAgencia } from '../context.tsx'

const PATH = '/cuenta/reparto'
const SECTION = '/cuenta/consultas'
const SHOWN_DAYS = 14
const TARGETS = [15, 30, 60, 120, 240, 480, 1440] as const // minutes
const REPARTO_FORM = formRoute(1_000)
/** A form takes a hundred fields, and each person has one. Those who are not on the page stay as they are. */
const PEOPLE_PER_PAGE = 50

/** /cuenta/reparto: how new inquiries are shared, and how soon they are answered. */
export function sharingRoutes({ vendedor, administrador }: AccountPages, { store }: PageDeps): void {
  vendedor.get<WithQuery>('/reparto', async ({ ctx, query }, reply) =>
    page(reply, await sharingPage(store, ctx, pageIn(query, ctx.agencia))),
  )

  administrador.post<WithQuery>('/reparto', REPARTO_FORM, async ({ ctx, form, query }, reply) => {
    const { agencia } = ctx
    const before = await inboxSettings(store, agencia.id)
    const settings = {
      regla: SHARING_RULES.find((rule) => rule === form.get('Regla')) ?? before.regla,
      abierta: isChecked(form, 'Abierta'),
      objetivoMinutos: TARGETS.find((minutes) => String(minutes) === form.get('Objetivo')) ?? before.objetivoMinutos,
    }
    await ctx.change({ act: 'agencia.reparto', subject: agencia.adminMail, detail: settings }, async (tx) => {
      await lockByAdministrator(tx, ctx.account)
      await saveInbox(tx, agencia.id, settings, peopleIn(form, agencia))
    })
    const isShared =
      settings.regla === 'ninguna' || (await sharingOperadores(store, agencia.id)).some(({ recibe }) => recibe)
    return redirectWithNotice(reply, isShared ? 'reparto' : 'reparto-nadie', pageHref(pageIn(query, agencia)))
  })
}

const pageIn = (query: Query, { operadores }: OwnAgencia): number =>
  Math.min(numberParam(query, 'pagina') || 1, Math.ceil(operadores.length / PEOPLE_PER_PAGE))
/** Only administrators have the form, at their own agency, which needs no parameter. */
const pageHref = (pagina: number): string => withQuery(PATH, { pagina: pagina > 1 ? pagina : undefined })

const NOT_SHARING = 'no'
const fieldOf = (accountId: number): string => `recibe.${accountId}`

/** Of each person of the agency: `no`, `si`, or the branch where they receive. */
const peopleIn = (form: URLSearchParams, { operadores }: OwnAgencia): SharingOperador[] =>
  operadores.flatMap(({ accountId }) => {
    const given = form.get(fieldOf(accountId))
    if (given === null) return []
    const branch = /^\d{1,9}$/.test(given) ? Number(given) : null
    return { accountId, recibe: given !== NOT_SHARING, sucursalId: branch }
  })

/** `pagina` is which part of the people the form has, from 1. */
async function sharingPage(store: Db, ctx: AgencyContext, pagina: number) {
  const { agencia, now, timeZone } = ctx
  const settings = await inboxSettings(store, agencia.id)
  const { regla, abierta, objetivoMinutos } = settings
  const hasta = dayOf(now, timeZone)
  const period = periodOf(addDays(hasta, 1 - SHOWN_DAYS), hasta, timeZone)
  const scope = { ...(await scopeOf(store, ctx)), period }
  const times = await responseTimes(await ctx.reader(), scope, { objetivoMinutos, now, timeZone })
  const operadores = await sharingOperadores(store, agencia.id)
  const sucursales = await listSucursales(store, agencia.id)
  return (
    <AgencyPage
      ctx={ctx}
      parentLink={{ href: agencyPath(ctx, SECTION), label: t('cuenta.inquiries.title') }}
      title={t('bandeja.sharing.title')}
    >
      <div class="agency with-side">
        <Section title={t('bandeja.times.title')}>
          <Times times={times} objetivoMinutos={objetivoMinutos} />
        </Section>
        <Section title={t('bandeja.sharing.rule')}>
          {agencia.rol === 'administrador' ? (
            <SharingForm {...{ agencia, settings, operadores, sucursales, pagina }} />
          ) : (
            <>
              <p>{t('bandeja.sharing.who')}</p>
              <p>
                <strong>{t(`bandeja.rule.${regla}`)}</strong>
              </p>
              <p>{t(`bandeja.rule.${regla}Hint`)}</p>
              <p>{t(abierta ? 'bandeja.open.yes' : 'bandeja.open.no')}</p>
            </>
          )}
        </Section>
      </div>
    </AgencyPage>
  )
}

function Times({ times, objetivoMinutos }: { times: ResponseTimes; objetivoMinutos: number }) {
  const target = formatAge(objetivoMinutos)
  if (times.total === 0) return <p class="empty">{t('bandeja.times.none', { days: SHOWN_DAYS, target })}</p>
  const { days, medianMinutes, inTime, total } = times
  return (
    <>
      <Facts
        rows={[
          [t('bandeja.times.median'), medianMinutes === null ? '–' : formatAge(Math.round(medianMinutes))],
          [
            t('bandeja.times.inTime', { target }),
            t('bandeja.times.share', { share: formatPercent(inTime, total), count: total }),
          ],
        ]}
      />
      <Bars
        title={t('bandeja.times.chart', { days: SHOWN_DAYS })}
        labels={days.map(({ dia }) => shortDay(new Date(dia), 'UTC'))}
        series={[
          { label: t('bandeja.times.seriesInTime'), tone: 'accent', values: days.map((day) => day.inTime) },
          { label: t('bandeja.times.seriesLate'), tone: 'blue', values: days.map((day) => day.late) },
          { label: t('bandeja.times.seriesUnanswered'), tone: 'amber', values: days.map((day) => day.unanswered) },
        ]}
      />
    </>
  )
}

interface SharingFormProps {
  agencia: OwnAgencia
  settings: InboxSettings
  operadores: SharingOperador[]
  sucursales: Sucursal[]
  pagina: number
}

function SharingForm({ agencia, settings, operadores, sucursales, pagina }: SharingFormProps) {
  const all = agencia.operadores
  const from = (pagina - 1) * PEOPLE_PER_PAGE
  const people = all.slice(from, from + PEOPLE_PER_PAGE)
  const to = from + people.length
  return (
    <>
      <Form action={pageHref(pagina)} button={t('bandeja.sharing.save')} class="">
        <fieldset class="either">
          <legend>{t('bandeja.sharing.who')}</legend>
          {SHARING_RULES.map((rule) => (
            <Tick
              key={rule}
              name="Regla"
              radio={rule}
              label={t(`bandeja.rule.${rule}`)}
              hint={t(`bandeja.rule.${rule}Hint`)}
              checked={rule === settings.regla}
            />
          ))}
        </fieldset>
        <fieldset>
          <legend>{t('bandeja.sharing.people')}</legend>
          {people.length < all.length && (
            <p class="hint">{t('bandeja.sharing.part', { from: from + 1, to, total: all.length })}</p>
          )}
          {people.map((person) => {
            const { recibe, sucursalId } = operadores.find(({ accountId }) => accountId === person.accountId) ?? {}
            return (
              <Select
                key={person.accountId}
                name={fieldOf(person.accountId)}
                label={fullName(person)}
                value={!recibe ? NOT_SHARING : sucursalId ? String(sucursalId) : 'si'}
                choices={[
                  [NOT_SHARING, t('bandeja.sharing.no')],
                  ['si', t('bandeja.sharing.yes')],
                  ...sucursales.map(
                    ({ id, nombre }) => [String(id), t('bandeja.sharing.atBranch', { branch: nombre })] as const,
                  ),
                ]}
              />
            )
          })}
        </fieldset>
        <Tick name="Abierta" label={t('bandeja.open.label')} hint={t('bandeja.open.hint')} checked={settings.abierta} />
        <Select
          name="Objetivo"
          label={t('bandeja.target.label')}
          hint={t('bandeja.target.hint')}
          value={String(settings.objetivoMinutos)}
          choices={TARGETS.map((minutes) => [String(minutes), formatAge(minutes)] as const)}
        />
      </Form>
      <Pager
        newer={pagina > 1 ? pageHref(pagina - 1) : undefined}
        older={to < all.length ? pageHref(pagina + 1) : undefined}
      />
    </>
  )
}
