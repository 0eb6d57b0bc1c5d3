import type { FastifyReply } from 'fastify'
import { Problem } from '../../../http/problems.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { inGroups } from '../../../phone.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { type LockForEdit, lockByAdministrator } from '../../../resources/agencias/edit.ts'
import {
  add,
  edit,
  faultsOfSucursal,
  NO_SUCH_SUCURSAL,
  remove,
  sucursalVersion,
} from '../../../resources/sucursales/edit.ts'
import { findSucursal, listSucursales } from '../../../resources/sucursales/store.ts'
import type { Sucursal } from '../../../resources/sucursales/sucursal.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { DangerLink } from '../../fields.tsx'
import { formRoute } from '../../form.ts'
import { formatPlace } from '../../format.tsx'
import { type PageRequest, page } from '../../page.ts'
import { idIn, requireFound } from '../../params.ts'
import { ButtonLink, Cards, Telephone } from '../../parts.tsx'
import { placeForms } from '../../places/place.ts'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { contactMessages } from '../contact.ts'
import { type AccountPages, AGENCY, type AgencyContext, AgencyPage } from '../context.tsx'
import { changedSucursal, inSucursalOrder, shownSucursal, sucursalPage, upsertOf, valuesIn } from './form.tsx'
import { likeMonday, OpeningHours } from './hours.tsx'

const LIST = '/cuenta/sucursales'
/** The fields of `SucursalUpsert`, four shifts a day, and the version that was read. */
const BRANCH_FORM = formRoute(1400)

/** /cuenta/sucursales, …/nueva, …/{id}, …/{id}/quitar: the agency's branches. */
export function sucursalesPages({ vendedor, administrador }: AccountPages, deps: PageDeps): void {
  const { store, catalogue, matcher } = deps
  const places = placeForms(catalogue, matcher)

  type Shown = Omit<Parameters<typeof sucursalPage>[0], 'ctx' | 'regions' | 'cities'>
  function show(reply: FastifyReply, ctx: AgencyContext, shown: Shown, status = 200): FastifyReply {
    return page(reply, sucursalPage({ ctx, ...shown, ...places.choices(shown.values) }), status)
  }

  async function save({ ctx, form }: PageRequest<AgencyContext>, reply: FastifyReply, current?: Sucursal) {
    const id = current?.id
    const version = form.get('Version') ?? undefined
    const values = places.posted(valuesIn(form))
    const typed = places.redisplay(values)
    if (form.get('Acto') === 'copiar') {
      return show(reply, ctx, { id, version, values: { ...typed, hours: likeMonday(typed.hours) } })
    }
    const { body, errors: half } = upsertOf(values)
    const found = faultsOfSucursal(deps, body, current)
    const errors = { ...found.errors, ...half }
    if (Object.keys(errors).length > 0) {
      const refused = places.refused(values, { ...found, errors })
      const faults = contactMessages(refused.errors, { Nombre: values.Nombre })
      return show(reply, ctx, { ...refused, id, version, errors: inSucursalOrder(faults) }, 400)
    }
    const open: LockForEdit<Agencia> = (tx) => lockByAdministrator(tx, ctx.account)
    try {
      await (id === undefined ? add(deps, open, body) : edit(deps, open, id, body, version))
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      if (problem.errors)
        return show(reply, ctx, { id, version, values: typed, errors: problem.errors }, problem.status)
      if (!current || problem.status !== 412) throw problem
      const now = (await findSucursal(store, ctx.agencia.id, current.id)) ?? current
      const fresh = sucursalVersion(now, ctx.agencia.adminMail)
      const errors = { _: [t('cuenta.branches.overtaken')] }
      return show(reply, ctx, { id, version: fresh, values: typed, errors, now: changedSucursal(typed, now) }, 409)
    }
    return redirectWithNotice(reply, 'sucursal', LIST)
  }

  const find = async ({ agencia }: AgencyContext, { id }: ById['Params']): Promise<Sucursal> =>
    requireFound(await findSucursal(store, agencia.id, idIn(id)), NO_SUCH_SUCURSAL)

  vendedor.get('/sucursales', async ({ ctx }, reply) =>
    page(reply, sucursalesPage({ ctx, rows: await listSucursales(store, ctx.agencia.id) })),
  )

  administrador.get('/sucursales/nueva', async ({ ctx }, reply) => {
    const { region, ciudad } = ctx.agencia
    return show(reply, ctx, { id: undefined, version: undefined, values: shownSucursal({ region, ciudad }) })
  })

  administrador.post('/sucursales/nueva', BRANCH_FORM, (request, reply) => save(request, reply))

  administrador.get<ById>('/sucursales/:id', async ({ ctx, params }, reply) => {
    const sucursal = await find(ctx, params)
    const version = sucursalVersion(sucursal, ctx.agencia.adminMail)
    return show(reply, ctx, { id: sucursal.id, version, values: shownSucursal(sucursal) })
  })

  administrador.post<ById>('/sucursales/:id', BRANCH_FORM, async (request, reply) =>
    save(request, reply, await find(request.ctx, request.params)),
  )

  serveConfirmation(administrador, '/sucursales/:id/quitar', {
    audience: AGENCY,
    section: LIST,
    load: (params: ById['Params'], ctx) => find(ctx, params),
    question: ({ nombre }) => ({
      title: t('cuenta.branches.removeTitle', { name: nombre }),
      button: t('cuenta.yesRemove'),
      consequences: <p>{t('cuenta.branches.removed')}</p>,
    }),
    act: ({ id }, { account }) => remove(deps, (tx) => lockByAdministrator(tx, account), id),
    notice: 'sinsucursal',
  })
}

function sucursalesPage({ ctx, rows }: { ctx: AgencyContext; rows: Sucursal[] }) {
  const decides = ctx.agencia.rol === 'administrador'
  const add = <ButtonLink href={`${LIST}/nueva`}>{t('cuenta.branches.add')}</ButtonLink>
  return (
    <AgencyPage
      ctx={ctx}
      title={t('cuenta.nav.sucursales')}
      intro={t('cuenta.branches.intro')}
      actions={decides && rows.length > 0 ? add : undefined}
    >
      {rows.length === 0 ? (
        <section class="empty">
          <h2>{t('cuenta.branches.noneTitle')}</h2>
          <p>{t(decides ? 'cuenta.branches.none' : 'cuenta.branches.noneReader')}</p>
          {decides && add}
        </section>
      ) : (
        <Cards rows={rows} class="cards two">
          {(row) => <Card row={row} decides={decides} />}
        </Cards>
      )}
    </AgencyPage>
  )
}

function Card({ row, decides }: { row: Sucursal; decides: boolean }) {
  const place = formatPlace(row.direccion, row.codigoPostal, row.ciudad, row.region)
  const path = `${LIST}/${row.id}`
  return (
    <>
      <h2>{row.nombre}</h2>
      {place && <p>{place}</p>}
      <p class="facts">
        {row.telefono && <Telephone number={row.telefono} />}
        {row.whatsapp && <span>WhatsApp {inGroups(row.whatsapp)}</span>}
        {row.email && <a href={`mailto:${row.email}`}>{row.email}</a>}
      </p>
      <OpeningHours horarios={row.horarios} />
      {decides && (
        <p class="row">
          <a class="button secondary" href={path}>
            {rich('cuenta.branches.change', { name: row.nombre })}
          </a>
          <DangerLink href={`${path}/quitar`} label={t('cuenta.remove')} to={row.nombre} />
        </p>
      )}
    </>
  )
}
