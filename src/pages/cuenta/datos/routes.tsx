import type { FastifyReply } from 'fastify'
import { fullName } from '../../../accounts/account.ts'
import { Problem } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import { inGroups } from '../../../phone.ts'
import { formatCampo } from '../../../resources/agencias/agencia.ts'
import { faultsOfEdit, versionOf } from '../../../resources/agencias/changes.ts'
import { editOwn, type HistoryEntry, historyOf } from '../../../resources/agencias/edit.ts'
import { findAgenciaById } from '../../../resources/agencias/read.ts'
import { AgencyData } from '../../agency.tsx'
import { formRoute } from '../../form.ts'
import { Moment } from '../../format.tsx'
import { changedValues } from '../../overtaken.ts'
import { page } from '../../page.ts'
import { textParam, type WithQuery } from '../../params.ts'
import { placeForms } from '../../places/place.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { contactMessages } from '../contact.ts'
import { type AccountPages, type AgencyContext, AgencyPage, agencyPath } from '../context.tsx'
import { DataForm, type DataFormProps, editOf, inDataOrder, linesIn, shownData } from './form.tsx'

const PATH = '/cuenta/datos'
/** The fields of `AgenciaEdit`, and the version that was read. */
const DATA_FORM = formRoute(1300)
const MAX_ENTRIES = 10

/** /cuenta/datos: the agency's data. Its administrator changes them, with the same checks as for apps. */
export function dataRoutes({ vendedor, administrador }: AccountPages, deps: PageDeps): void {
  const { store, config, catalogue, matcher } = deps
  const places = placeForms(catalogue, matcher)

  type Filled = Omit<DataFormProps, 'country' | 'regions' | 'cities'>

  async function show(
    reply: FastifyReply,
    ctx: AgencyContext,
    filled: Filled | undefined,
    before?: string,
    status = 200,
  ) {
    const entries = await historyOf(store, ctx.agencia.id, MAX_ENTRIES + 1, before)
    const { country } = config
    const form = filled && { ...filled, country, ...places.choices(filled.values) }
    const shown = { entries: entries.slice(0, MAX_ENTRIES), more: entries.length > MAX_ENTRIES }
    return page(reply, dataPage({ ctx, country, form, ...shown }), status)
  }

  vendedor.get<WithQuery>('/datos', async ({ ctx, query }, reply) => {
    const { agencia } = ctx
    const form =
      agencia.rol === 'administrador' ? { values: shownData(agencia), version: versionOf(agencia) } : undefined
    const before = textParam(query, 'antes')
    return show(reply, ctx, form, before && /^\d{1,18}$/.test(before) ? before : undefined)
  })

  administrador.post('/datos', DATA_FORM, async ({ form, ctx }, reply) => {
    const values = places.posted(linesIn(form))
    const read = form.get('Version') ?? undefined
    const body = editOf(values)
    const faults = faultsOfEdit(deps, body, ctx.agencia)
    if (faults) {
      const refused = places.refused(values, faults)
      const errors = inDataOrder(contactMessages(refused.errors, refused.values))
      return show(reply, ctx, { ...refused, version: read ?? '', errors }, undefined, 400)
    }
    try {
      await editOwn(deps, ctx.account, body, read)
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status !== 412) throw problem
      const agencia = (await findAgenciaById(store, ctx.agencia.id)) ?? ctx.agencia
      const typed = places.redisplay(values)
      const now = changedValues(typed, shownData(agencia))
      const errors = { _: [t('comun.form.overtaken')] }
      return show(reply, ctx, { values: typed, version: versionOf(agencia), errors, now }, undefined, 409)
    }
    return redirectWithNotice(reply, 'datos', PATH)
  })
}

interface DataProps {
  ctx: AgencyContext
  country: string
  /** Undefined for those who may only read. */
  form: DataFormProps | undefined
  entries: HistoryEntry[]
  /** Whether there are earlier entries than these. */
  more: boolean
}

function dataPage({ ctx, country, form, entries, more }: DataProps) {
  return (
    <AgencyPage
      ctx={ctx}
      section="/cuenta/datos"
      title={t('cuenta.nav.datos')}
      faulty={Boolean(form?.errors)}
      script={Boolean(form)}
      intro={form ? t('cuenta.data.intro') : t('cuenta.data.introReader', { admin: ctx.agencia.adminMail })}
    >
      <div class="with-side">
        {form ? <DataForm {...form} /> : <AgencyData agencia={ctx.agencia} country={country} />}
        <div>
          <h2>{t('cuenta.data.changes')}</h2>
          <History ctx={ctx} country={country} entries={entries} more={more} />
        </div>
      </div>
    </AgencyPage>
  )
}

const shownValue = (campo: string, value: string): string => (campo === 'WhatsApp' ? inGroups(value) : value)

function History({ ctx, country, entries, more }: Omit<DataProps, 'form'>) {
  if (entries.length === 0) return <p class="empty">{t('cuenta.data.noChanges')}</p>
  return (
    <>
      <ol class="history">
        {entries.map((entry) => (
          <li key={entry.id}>
            <p class="facts">
              <strong>{authorOf(entry, ctx)}</strong>
              <Moment at={entry.at} when={ctx} />
            </p>
            <ul class="plain-list">
              {entry.changes.map(({ campo, antes, despues }) => (
                <li key={`${campo}${antes}${despues}`}>
                  {formatCampo(campo, country)}: {antes && <del>{shownValue(campo, antes)}</del>}{' '}
                  {despues && <ins>{shownValue(campo, despues)}</ins>}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {more && <a href={agencyPath(ctx, PATH, { antes: entries.at(-1)?.id })}>{t('cuenta.data.earlier')}</a>}
    </>
  )
}

function authorOf({ app, person }: HistoryEntry, { account }: AgencyContext): string {
  if (person) return person.email === account.email ? t('cuenta.data.byYou') : fullName(person)
  return app ? t('cuenta.data.byApp', { app }) : t('cuenta.data.byMarket')
}
