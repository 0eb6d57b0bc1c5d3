import type { PublicacionCreate, PublicacionEdit } from '@rodado/client'
import * as z from 'zod'
import { PUBLICACION_SCHEMA } from './publicacion-schema.ts'
import { ADMIN_MAIL, DAY, defineTool, EXTERNAL_ID, given, SID, TOPIC, type Tool } from './tool.ts'

const { properties } = PUBLICACION_SCHEMA
const MEMBERS = z.record(z.string(), z.unknown())

/** The tools that change something. */
export const ACTIONS: readonly Tool[] = [
  defineTool(
    'publish_publicacion',
    {
      title: 'Publish a car',
      description: 'Publishes a listing of an agency. Match make, model and place with bestmatch first.',
      input: { adminMail: ADMIN_MAIL, publicacion: MEMBERS.meta(PUBLICACION_SCHEMA) },
      changes: 'adds',
    },
    async (client, { adminMail, publicacion }) =>
      client.publicar({ adminMail }, publicacion as object as PublicacionCreate),
  ),
  defineTool(
    'change_publicacion',
    {
      title: 'Change a listing',
      description: 'Changes the given members of a listing and leaves the others. Activa false suspends it.',
      input: {
        adminMail: ADMIN_MAIL,
        externalId: EXTERNAL_ID,
        cambios: MEMBERS.meta({ properties, additionalProperties: false, description: 'The members to change' }),
      },
      changes: 'replaces',
    },
    async (client, { adminMail, externalId: externalid, cambios }) => {
      const { data, etag } = await client.verPublicacion({ adminMail, externalid }).withResponse()
      const changed = { ...data, ...cambios } as object as PublicacionEdit
      // What somebody else changed in between is not overwritten: that is 412.
      return client.editarPublicacion({ adminMail, externalid }, changed, etag ? { ifMatch: etag } : {})
    },
  ),
  defineTool(
    'archive_publicacion',
    {
      title: 'Archive a listing',
      description: 'Ends a listing for good: it is no longer shown and cannot be changed.',
      input: { adminMail: ADMIN_MAIL, externalId: EXTERNAL_ID },
      changes: 'replaces',
    },
    async (client, { adminMail, externalId: externalid }) => {
      await client.archivarPublicacion({ adminMail, externalid })
      return { archived: externalid }
    },
  ),
  defineTool(
    'set_consulta_estado',
    {
      title: 'Set the state of an inquiry',
      description: 'What the agency has done about an inquiry.',
      input: {
        adminMail: ADMIN_MAIL,
        sid: SID,
        estado: z.enum(['nueva', 'leida', 'contactada', 'vendida', 'descartada']),
      },
      changes: 'replaces',
    },
    async (client, { adminMail, sid, estado: Estado }) => {
      const { Estado: now, Momento } = await client.cambiarEstadoDeConsulta({ adminMail, sid }, { Estado })
      return { sid, Estado: now, Momento }
    },
  ),
  defineTool(
    'resend_entregas',
    {
      title: 'Send deliveries again',
      description:
        'Sends the events of the deliveries that fit again; simular only counts them. At least one filter is needed.',
      input: {
        topic: TOPIC,
        evento: z.string().length(26).optional().describe('The event’s Id'),
        estado: z
          .string()
          .max(100)
          .optional()
          .describe('pendiente, entregada, fallida, descartada, or several with commas'),
        adminMail: ADMIN_MAIL.optional(),
        sid: SID.optional(),
        desde: DAY.optional(),
        hasta: DAY.optional(),
        simular: z.boolean().default(true).describe('true: only count; false: send'),
      },
      changes: 'adds',
    },
    async (client, args) => {
      const { Cantidad, Simulado } = await client.reenviarEntregas(given(args))
      return { Cantidad, Simulado }
    },
  ),
  defineTool(
    'send_prueba',
    {
      title: 'Send a test event',
      description: 'Sends a sample event to the topic’s webhook; explain_entrega shows how it went.',
      input: { topic: TOPIC },
      changes: 'adds',
    },
    async (client, { topic }) => {
      const { Id } = await client.probarWebhook({ topic })
      return { Id }
    },
  ),
]
