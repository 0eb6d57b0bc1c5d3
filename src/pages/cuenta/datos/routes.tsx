import type { FastifyReply } from 'fastify'
import { fullName } from '../../../accounts/account.ts'
import { type Errors, Problem } from '../../../http/problems.ts'
import { t } from '../../../i18n/messages.tsx'
import { inGroups } from '../../../phone.ts'
import { type AgenciaData, dataEntry, FIELDS, formatCampo } from '../../../resources/agencias/agencia.ts'
import { faultsOfEdit, versionOf } from '../../../resources/agencias/changes.ts'
import { editOwn, type HistoryEntry, historyOf } from '../../../resources/agencias/edit.ts'
import { findAgenciaById } from '../../../resources/agencias/read.ts'
import type { AgenciaEdit } from '../../../resources/agencias/schema.ts'
import { taxIdOf } from '../../../resources/agencias/tax-id.ts'
import { AgencyData } from '../../agency.tsx'
import { Form, type StoredValues } from '../../fields.tsx'
import { faultsInOrder, formRoute, textFields } from '../../form.ts'
import { Fields, type FormField, type FormFields, labelsOf } from '../../form-fields.tsx'
import { Moment } from '../../format.tsx'
import { changedValues } from '../../overtaken.ts'
import { page } from '../../page.ts'
import { textParam, type WithQuery } from '../../params.ts'
import { agencyFields, PLACE_LABELS, PlaceFields, type PlaceFieldsProps } from '../../places/fields.tsx'
import { placeForms } from '../../places/place.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { contactMessages, fullAddress, plainNumber } from '../contact.ts'
import { type AccountPages, type AgencyContext, AgencyPage, agencyPath } from '../context.tsx'

const PATH = '/cuenta/datos'
/** The fields of `AgenciaEdit`, and the version that was read. */
const DATA_FORM = formRoute(1300)
const MAX_ENTRIES = 10

/** /cuenta/datos: the agency's data. Its administrator changes them, with the same checks as for apps. */
export function dataRoutes({ vendedor, administrador }: AccountPages, deps: PageDeps): void {
  const { store, catalogue, matcher } = deps
  const places = placeForms(catalogue, matcher)

  type Filled = Omit<DataFormProps, 'regions' | 'cities'>

  async function show(
    reply: FastifyReply,
    ctx: AgencyContext,
    filled: Filled | undefined,
    before?: string,
    status = 200,
  ) {
    const entries = await historyOf(store, ctx.agencia.id, MAX_ENTRIES + 1, before)
    const form = filled && { ...filled, ...places.choices(filled.values) }
    return page(reply, dataPage(ctx, form, entries), status)
  }

  vendedor.get<WithQuery>('/datos', async ({ ctx, query }, reply) => {
    const { agencia } = ctx
    const form =
      agencia.rol === 'administrador' ? { values: shownData(agencia), version: versionOf(agencia) } : undefined
    const before = textParam(query, 'antes')
    return show(reply, ctx, form, before && /^\d{1,18}$/.test(before) ? before : undefined)
  })

  administrador.post('/datos', DATA_FORM, async ({ form, ctx }, reply) => {
    const values = places.posted<DataValues>(textFields(form, NAMES))
    const read = form.get('Version') ?? undefined
    const body = editOf(values)
    const faults = faultsOfEdit(deps, body, ctx.agencia)
    if (faults) {
      const refused = places.refused(values, faults)
      const errors = faultsInOrder(contactMessages(refused.errors, refused.values), NAMES)
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

const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[]

type DataValues = Record<keyof typeof FIELDS, string>

/** The stored values as the form shows them. */
const shownData = (data: AgenciaData): DataValues => {
  const entry = dataEntry(data)
  return Object.fromEntries(NAMES.map((name) => [name, entry[name] ?? ''])) as DataValues
}

/** The form as `AgenciaEdit`: blank is null. */
const editOf = (values: DataValues): AgenciaEdit => {
  const given = { ...values, WhatsApp: plainNumber(values.WhatsApp), SitioWeb: fullAddress(values.SitioWeb) }
  const body = Object.fromEntries(NAMES.map((name) => [name, given[name] || null]))
  return { ...body, Nombre: given.Nombre }
}

interface DataFormProps extends PlaceFieldsProps {
  values: DataValues
  /** The version that was read: a form with an older one is not saved. */
  version: string
  now?: StoredValues | undefined
  errors?: Errors | undefined
}

function DataForm({ values, version, country, errors, now, ...place }: DataFormProps & { country: string }) {
  const fields: FormFields = {
    ...agencyFields(),
    Nombre: { ...agencyFields().Nombre, hint: t('cuenta.data.nameHint') },
    IdFiscal: taxIdField(country),
  }
  const group = (...names: (keyof DataValues)[]) => (
    <Fields fields={Object.fromEntries(names.map((name) => [name, fields[name] as FormField]))} />
  )
  return (
    <Form
      action="/cuenta/datos"
      class="sheet"
      button={t('cuenta.save')}
      given={values}
      errors={errors}
      now={now}
      version={version}
      labels={{ ...labelsOf(fields), ...PLACE_LABELS }}
    >
      <fieldset>
        <legend>{t('cuenta.data.agency')}</legend>
        {group('Nombre', 'RazonSocial', 'IdFiscal')}
      </fieldset>
      <fieldset>
        <legend>{t('cuenta.data.contact')}</legend>
        {group('Telefono', 'WhatsApp', 'SitioWeb')}
      </fieldset>
      <fieldset>
        <legend>{t('cuenta.data.place')}</legend>
        <PlaceFields values={values} {...place} />
        {group('Direccion', 'CodigoPostal')}
      </fieldset>
    </Form>
  )
}

/** The tax number, as the country calls it. */
function taxIdField(country: string): FormField {
  const taxId = taxIdOf(country)
  const { IdFiscal } = agencyFields()
  if (!taxId) return IdFiscal
  const hint = t('comun.taxId.hint', { example: taxId.example })
  return { ...IdFiscal, label: taxId.label, hint }
}

/** `form` is undefined for those who may only read; of more entries than are shown, the page links to the earlier ones. */
function dataPage(ctx: AgencyContext, form: DataFormProps | undefined, entries: HistoryEntry[]) {
  return (
    <AgencyPage
      ctx={ctx}
      title={t('cuenta.nav.datos')}
      script={Boolean(form)}
      intro={form ? t('cuenta.data.intro') : t('cuenta.data.introReader', { admin: ctx.agencia.adminMail })}
    >
      <div class="with-side">
        {form ? (
          <DataForm {...form} country={ctx.country} />
        ) : (
          <AgencyData agencia={ctx.agencia} country={ctx.country} />
        )}
        <div>
          <h2>{t('cuenta.data.changes')}</h2>
          <History ctx={ctx} entries={entries} />
        </div>
      </div>
    </AgencyPage>
  )
}

const shownValue = (campo: string, value: string): string => (campo === 'WhatsApp' ? inGroups(value) : value)

function History({ ctx, entries }: { ctx: AgencyContext; entries: HistoryEntry[] }) {
  if (entries.length === 0) return <p class="empty">{t('cuenta.data.noChanges')}</p>
  const shown = entries.slice(0, MAX_ENTRIES)
  return (
    <>
      <ol class="history">
        {shown.map((entry) => (
          <li key={entry.id}>
            <p class="facts">
              <strong>{authorOf(entry, ctx)}</strong>
              <Moment at={entry.at} when={ctx} />
            </p>
            <ul class="plain-list">
              {entry.changes.map(({ campo, antes, despues }) => (
                <li key={`${campo}${antes}${despues}`}>
                  {formatCampo(campo, ctx.country)}: {antes && <del>{shownValue(campo, antes)}</del>}{' '}
                  {despues && <ins>{shownValue(campo, despues)}</ins>}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {entries.length > MAX_ENTRIES && (
        <a href={agencyPath(ctx, PATH, { antes: shown.at(-1)?.id })}>{t('cuenta.data.earlier')}</a>
      )}
    </>
  )
}

function authorOf({ app, person }: HistoryEntry, { account }: AgencyContext): string {
  if (person) return person.email === account.email ? t('cuenta.data.byYou') : fullName(person)
  return app ? t('cuenta.data.byApp', { app }) : t('cuenta.data.byMarket')
}
