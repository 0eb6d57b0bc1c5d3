import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { MAX_BODY_BYTES } from '../../http/body.ts'
import { answers, type Media, reads } from '../../http/responses.ts'
import type { AgenciasDeps } from '../agencias/context.ts'
import { listAgencias, requireAgencia } from '../agencias/read.ts'
import { AdminMailParams } from '../agencias/schema.ts'
import { editOperadores } from './edit.ts'
import { type OperadoresEdit, OperadoresQuery, operadoresEntry, operadoresList, SCHEMAS } from './operadores.ts'

interface OfAgencia {
  Params: { adminMail: string }
}

const tags = ['Operadores']
const caching = 'no-store' as const
const one = { description: 'Quiénes trabajan en la agencia', entry: Type.Ref('Operadores') }

/** /v3/operadores, /v3/operadores/{adminMail} */
export function operadoresRoutes(app: FastifyInstance, media: Media, deps: AgenciasDeps): void {
  for (const schema of SCHEMAS) app.addSchema(schema)
  app.get<{ Querystring: { operador?: string } }>(
    '/operadores',
    {
      schema: {
        tags,
        operationId: 'listarOperadores',
        summary: 'Quiénes trabajan en las agencias asociadas con la app',
        querystring: OperadoresQuery,
        response: reads(media, { description: 'Por agencia', entry: Type.Ref('OperadoresLista') }, [400]),
      },
      config: { caching },
    },
    async ({ caller, query: { operador } }) =>
      print(operadoresList(await listAgencias(deps.store, caller, operador), operador)),
  )

  app.get<OfAgencia>(
    '/operadores/:adminMail',
    {
      schema: {
        tags,
        operationId: 'verOperadores',
        summary: 'Quiénes trabajan en una agencia',
        params: AdminMailParams,
        response: reads(media, one, [400, 404]),
      },
      config: { caching },
    },
    async ({ caller, params }) => {
      const agencia = await requireAgencia(deps.store, caller, params.adminMail)
      return print(operadoresEntry(agencia))
    },
  )

  app.put<OfAgencia & { Body: OperadoresEdit }>(
    '/operadores/:adminMail',
    {
      bodyLimit: MAX_BODY_BYTES,
      schema: {
        tags,
        operationId: 'editarOperadores',
        summary: 'Cómo se presentan las personas de una agencia',
        description:
          'Quien administra la agencia recibe cada cambio por correo. Las cuentas de las personas no cambian.',
        params: AdminMailParams,
        body: Type.Ref('OperadoresEdit'),
        response: answers(media, one, [400, 403, 404, 412, 413, 415]),
      },
      config: { caching },
    },
    async ({ caller, params, body, headers }) =>
      print(operadoresEntry(await editOperadores(deps, caller, params.adminMail, body, headers['if-match']))),
  )
}

const print = (value: object): string => JSON.stringify(value)
