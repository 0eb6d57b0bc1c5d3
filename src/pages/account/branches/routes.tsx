import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, Problem } from '../../../http/problems.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { type Opener, openOwn } from '../../../resources/agencias/edit.ts'
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
import { type Asking, numberAsked } from '../../asked.ts'
import { CONFIRMATION, formOf, formRoute } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { placeChoices } from '../../places/choices.ts'
import { type Candidate, placeAgain, placeForPeople } from '../../places/values.ts'
import { allowScript } from '../../security.ts'
import { confirmPage } from '../confirm.tsx'
import { contactForPeople } from '../contact.ts'
import { administers, type Visit, visitOf } from '../visit.tsx'
import { branchPage } from './form-page.tsx'
import { likeMonday } from './hours-values.ts'
import { branchesPage } from './list-page.tsx'
import { type BranchValues, bodyOf, inOrder, posted, present } from './values.ts'

type ById = { Params: { id: string } }
const LIST = '/cuenta/sucursales'
/** The fields of `SucursalUpsert`, four shifts a day, and the version that was read. */
const BRANCH_FORM = formRoute(1400)
const OVERTAKEN = 'Alguien cambió la sucursal mientras usted escribía. Revise los datos, y guarde otra vez.'

/** /cuenta/sucursales, …/nueva, …/{id}, …/{id}/quitar: where the agency receives people, said by its administrator. */
export function branchesRoutes(app: FastifyInstance, people: People): void {
  const { store, catalogue, matcher } = people
  const choices = placeChoices(catalogue, matcher)

  type Shown = Omit<Parameters<typeof branchPage>[0], 'visit' | 'regions' | 'cities'>
  function show(reply: FastifyReply, visit: Visit, shown: Shown, status = 200): FastifyReply {
    allowScript(reply)
    return page(reply, branchPage({ visit, ...shown, ...choices(shown.values) }), status)
  }

  /** Reads the form and keeps what it says, or shows it again with what is wrong. */
  async function keep(request: FastifyRequest, reply: FastifyReply, visit: Visit, current?: Sucursal) {
    const form = formOf(request)
    const id = current?.id
    const version = form.get('Version') ?? undefined
    const values = posted(form, catalogue)
    if (form.get('Acto') === 'copiar') {
      const copied = { ...placeAgain(values, catalogue, matcher), hours: likeMonday(values.hours) }
      return show(reply, visit, { id, version, values: copied })
    }
    const { body, errors: half } = bodyOf(values)
    const found = faultsOfSucursal(people, body, current)
    const errors = { ...found.errors, ...half }
    if (Object.keys(errors).length > 0) {
      const again: BranchValues = placeAgain(values, catalogue, matcher)
      const candidates = found.candidates as Candidate[]
      const told = contactForPeople(placeForPeople(errors, again, candidates), { Nombre: again.Nombre })
      return show(reply, visit, { id, version, values: again, errors: inOrder(told), candidates }, 400)
    }
    const open: Opener<Agencia> = (tx) => openOwn(tx, visit.account)
    try {
      await (id === undefined ? add(people, open, body) : edit(people, open, id, body, version))
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      if (problem.errors) return show(reply, visit, { id, version, values, errors: problem.errors }, problem.status)
      if (!current || problem.status !== 412) throw problem
      const now = (await findSucursal(store, visit.agencia.id, current.id)) ?? current
      const fresh = sucursalVersion(now, visit.agencia.adminMail)
      return show(reply, visit, { id, version: fresh, values, errors: { _: [OVERTAKEN] } }, 409)
    }
    return done(reply, 'sucursal', LIST)
  }

  async function theirs({ agencia }: Visit, params: ById['Params']): Promise<Sucursal> {
    const found = await findSucursal(store, agencia.id, numberAsked(params, 'id') ?? 0)
    if (!found) throw notFound(NO_SUCH_SUCURSAL)
    return found
  }

  app.get<Asking>(LIST, HIDDEN, async (request, reply) => {
    const visit = await visitOf(people, request, reply)
    if (!visit) return reply
    return page(reply, branchesPage({ visit, rows: await listSucursales(store, visit.agencia.id) }))
  })

  app.get(`${LIST}/nueva`, HIDDEN, async (request, reply) => {
    const visit = await administers(people, request, reply)
    if (!visit) return reply
    const { region, ciudad } = visit.agencia
    return show(reply, visit, { id: undefined, version: undefined, values: present({ region, ciudad }) })
  })

  app.post(`${LIST}/nueva`, BRANCH_FORM, async (request, reply) => {
    const visit = await administers(people, request, reply)
    return visit ? keep(request, reply, visit) : reply
  })

  app.get<ById>(`${LIST}/:id`, HIDDEN, async (request, reply) => {
    const visit = await administers(people, request, reply)
    if (!visit) return reply
    const sucursal = await theirs(visit, request.params)
    const version = sucursalVersion(sucursal, visit.agencia.adminMail)
    return show(reply, visit, { id: sucursal.id, version, values: present(sucursal) })
  })

  app.post<ById>(`${LIST}/:id`, BRANCH_FORM, async (request, reply) => {
    const visit = await administers(people, request, reply)
    return visit ? keep(request, reply, visit, await theirs(visit, request.params)) : reply
  })

  app.get<ById>(`${LIST}/:id/quitar`, HIDDEN, async (request, reply) => {
    const visit = await administers(people, request, reply)
    if (!visit) return reply
    const { id, nombre } = await theirs(visit, request.params)
    const title = `¿Quitar ${nombre}?`
    const children = <p>Deja de mostrarse, y las apps que trabajan con la agencia se enteran.</p>
    const asked = { title, action: `${LIST}/${id}/quitar`, button: 'Sí, quitar', children }
    return page(reply, confirmPage({ visit, section: LIST, ...asked }))
  })

  app.post<ById>(`${LIST}/:id/quitar`, CONFIRMATION, async (request, reply) => {
    const visit = await administers(people, request, reply)
    if (!visit) return reply
    const { id } = await theirs(visit, request.params)
    await remove(people, (tx) => openOwn(tx, visit.account), id)
    return done(reply, 'sinsucursal', LIST)
  })
}
