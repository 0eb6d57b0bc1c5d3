import type { FastifyInstance } from 'fastify'
import type { Account } from '../../../accounts/account.ts'
import { audit } from '../../../accounts/audit.ts'
import { addDays, dayOf } from '../../../http/dates.ts'
import { invalid, notFound } from '../../../http/problems.ts'
import { agenciasOfAccount } from '../../../resources/agencias/store.ts'
import { supportOf } from '../../../resources/agencias/support.ts'
import { type Consulta, ESTADOS, type EstadoConsulta } from '../../../resources/consultas/consulta.ts'
import { changeEstado } from '../../../resources/consultas/estado.ts'
import { periodOf } from '../../../resources/consultas/period.ts'
import { searchConsultas } from '../../../resources/consultas/search.ts'
import { findConsulta, listConsultas, PER_PAGE } from '../../../resources/consultas/store.ts'
import { formOf } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, justDone, type People, whoever } from '../../people.ts'
import { inquiriesPage, type Looked } from './list-page.tsx'
import { inquiryPage } from './one-page.tsx'

type Workplace = Awaited<ReturnType<typeof agenciasOfAccount>>[number]
interface ById {
  Params: { sid: string }
}

const LAST_PAGE = 99

/** /cuenta/consultas, …/{sid}, …/{sid}/estado: inquiries, for the people who answer them. Each read is in the audit log. */
export function inquiriesRoutes(app: FastifyInstance, people: People): void {
  const { store, config, clock } = people
  const { timeZone, retentionDays } = config
  const support = supportOf(config)

  app.get<{ Querystring: Record<string, unknown> }>('/cuenta/consultas', HIDDEN, async (request, reply) => {
    const account = await whoever(people, request, reply, '/cuenta/consultas')
    if (!account) return reply
    const looked = readLooked(request.query)
    const workplaces = await agenciasOfAccount(store, account)
    const agencia = workplaces.find(({ id }) => looked.agencia === undefined || id === looked.agencia)
    if (!agencia) throw notFound('No trabaja en esa agencia.')

    const now = clock()
    const today = dayOf(now, timeZone)
    const period = periodOf(addDays(today, -retentionDays), today, timeZone)
    const found = await look({ ...scopeOf(agencia, account), period }, looked)
    const detail = { sids: found.rows.map(({ sid }) => sid) }
    await audit(store, { ...by(account), act: 'consultas.listar', subject: agencia.adminMail, detail })
    const elsewhere = workplaces.filter(({ id }) => id !== agencia.id)
    return page(reply, inquiriesPage({ account, support, timeZone, now, agencia, elsewhere, looked, ...found }))
  })

  async function look(wanted: ReturnType<typeof scopeOf> & { period: ReturnType<typeof periodOf> }, looked: Looked) {
    const { estado, q: text, pagina } = looked
    if (estado || text)
      return { total: undefined, ...(await searchConsultas(store, { ...wanted, estado, text, page: pagina })) }
    const { total, rows } = await listConsultas(store, { ...wanted, page: pagina })
    return { total, rows, more: pagina < LAST_PAGE && pagina * PER_PAGE < total }
  }

  /** An inquiry of an agency where the person works, if it is theirs to see; the same 404 whatever the reason. */
  async function theirs(account: Account, sid: string): Promise<{ agencia: Workplace; consulta: Consulta }> {
    for (const agencia of await agenciasOfAccount(store, account)) {
      const consulta = await findConsulta(store, scopeOf(agencia, account), sid)
      if (consulta) return { agencia, consulta }
    }
    throw notFound('No hay una consulta así entre las que usted ve.')
  }

  app.get<ById>('/cuenta/consultas/:sid', HIDDEN, async (request, reply) => {
    const { sid } = request.params
    const account = await whoever(people, request, reply, `/cuenta/consultas/${sid}`)
    if (!account) return reply
    const { agencia, consulta } = await theirs(account, sid)
    await audit(store, { ...by(account), act: 'consulta.leer', subject: sid })
    const notice = justDone(request, reply)
    return page(reply, inquiryPage({ account, support, agencia, consulta, timeZone, now: clock(), notice }))
  })

  app.post<ById>('/cuenta/consultas/:sid/estado', HIDDEN, async (request, reply) => {
    const { sid } = request.params
    const account = await whoever(people, request, reply, `/cuenta/consultas/${sid}`)
    if (!account) return reply
    const estado = estadoOf(formOf(request).get('Estado'))
    if (!estado) throw invalid({ Estado: ['Ese estado no existe.'] })
    const { agencia } = await theirs(account, sid)
    await changeEstado(people, { agencia, scope: scopeOf(agencia, account), sid, estado })
    return done(reply, 'estado', `/cuenta/consultas/${sid}`)
  })
}

/** The administrator sees all of an agency's, others what they are responsible for (decisions, 9). */
const scopeOf = ({ id, rol }: Workplace, { email }: Account) => ({
  agenciaId: id,
  sight: 'all' as const,
  operador: rol === 'administrador' ? undefined : email,
})

const by = ({ id }: Account) => ({ accountId: id, via: 'agencia' as const })

const estadoOf = (text: unknown): EstadoConsulta | undefined => ESTADOS.find((estado) => estado === text)

/** What was asked for in the address; what makes no sense there is as if it had not been said. */
function readLooked(query: Record<string, unknown>): Looked {
  const number = (name: string) => {
    const text = query[name]
    return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined
  }
  const q = typeof query.q === 'string' ? query.q.trim().slice(0, 100) : ''
  return {
    agencia: number('agencia'),
    estado: estadoOf(query.estado),
    q: q || undefined,
    pagina: Math.min(Math.max(1, number('pagina') ?? 1), LAST_PAGE),
  }
}
