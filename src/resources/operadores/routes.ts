import type { FastifyInstance } from 'fastify'
import { apiRoutes } from '../../http/api-routes.ts'
import { MAX_BODY_BYTES } from '../../http/body.ts'
import type { Media } from '../../http/responses.ts'
import type { AgenciasDeps } from '../agencias/context.ts'
import { agenciaLists } from '../agencias/list.ts'
import { requireAgencia } from '../agencias/read.ts'
import { AdminMailParams } from '../agencias/schema.ts'
import { editOperadores } from './edit.ts'
import { OperadoresEdit, OperadoresQuery, operadoresEntry, operadoresLinks, SCHEMAS } from './operadores.ts'

/** /v3/operadores, /v3/operadores/{adminMail} */
export function operadoresRoutes(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  const route = apiRoutes(app, media, { tags: ['Operadores'] }, SCHEMAS)
  const list = agenciaLists(deps.store)
  const one = { description: 'Quiénes trabajan en la agencia', entry: 'Operadores' }

  route('GET', '/operadores', {
    operationId: 'listarOperadores',
    summary: 'Quiénes trabajan en las agencias asociadas con la app',
    description: 'Una entrada por agencia asociada, sin paginar.',
    query: OperadoresQuery,
    response: { description: 'Por agencia', entry: 'OperadoresLista' },
    handle: ({ caller, query: { operador } }) =>
      list(caller, operador, { key: 'operadores', links: operadoresLinks(operador), entryOf: operadoresEntry }),
  })

  route('GET', '/operadores/:adminMail', {
    operationId: 'verOperadores',
    summary: 'Quiénes trabajan en una agencia',
    description: 'Quienes trabajan en la agencia, con su rol y los datos con los que se presentan.',
    params: AdminMailParams,
    response: one,
    refuses: [404],
    async handle({ caller, params }) {
      return operadoresEntry(await requireAgencia(deps.store, caller, params.adminMail))
    },
  })

  route('PUT', '/operadores/:adminMail', {
    operationId: 'editarOperadores',
    summary: 'Cambiar cómo se presentan las personas de una agencia',
    description: 'Quien administra la agencia recibe cada cambio por correo. Las cuentas de las personas no cambian.',
    params: AdminMailParams,
    body: OperadoresEdit,
    bodyLimit: MAX_BODY_BYTES,
    response: one,
    refuses: [403, 404, 412],
    async handle({ caller, params, body, headers }) {
      return operadoresEntry(await editOperadores(deps, caller, params.adminMail, body, headers['if-match']))
    },
  })
}
