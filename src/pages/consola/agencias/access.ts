import { notFound } from '../../../http/problems.ts'
import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { historyOf } from '../../../resources/agencias/edit.ts'
import { listInvitaciones } from '../../../resources/agencias/invitations.ts'
import { findPackage } from '../../../resources/agencias/packages.ts'
import { asociacionesOf, findAgenciaById, pendingOperadores } from '../../../resources/agencias/read.ts'
import { agenciaRecord, appsToAssociate } from '../../../resources/agencias/staff.ts'
import type { PageDeps } from '../../signed-in.ts'
import type { AgenciaView } from './one-page.tsx'

export type ById = { Params: { id: string } }

const LAST_CHANGES = 20
const LAST_INVITATIONS = 20
const NUMBER = /^\d{1,9}$/

/** The agencies as staff reaches them: any there is, by its number. */
export function openAgencias({ store, config }: PageDeps) {
  async function find(id: string): Promise<Agencia> {
    const agencia = NUMBER.test(id) ? await findAgenciaById(store, Number(id)) : undefined
    if (!agencia) throw notFound('No hay una agencia así.')
    return agencia
  }

  async function view(agencia: Agencia): Promise<AgenciaView> {
    const { id } = agencia
    const [beginnings, contracted, asociaciones, apps, invitaciones, pending, history] = await Promise.all([
      agenciaRecord(store, id),
      findPackage(store, id, config.timeZone),
      asociacionesOf(store, id),
      appsToAssociate(store, agencia),
      listInvitaciones(store, { agencia }, { limit: LAST_INVITATIONS }),
      pendingOperadores(store, id),
      historyOf(store, id, LAST_CHANGES),
    ])
    if (!beginnings) throw notFound('No hay una agencia así.')
    const { country } = config
    return {
      ...{ agencia, beginnings, contracted, asociaciones, apps, pending, history, country },
      invitaciones: invitaciones.rows,
    }
  }

  return { find, view }
}
