import { type Agencia, type Client, type Consulta, idOf, type Links, type Publicacion } from '@rodado/client'
import * as z from 'zod'
import { KINDS, matchByApi, textsOf } from '../bestmatch/match.ts'
import { explainDelivery } from './explain-delivery.ts'
import { ADMIN_MAIL, DAY, defineTool, EXTERNAL_ID, given, LIMIT, PAGE, SID, TOPIC, type Tool } from './tool.ts'

const MAX_SCANNED = 5_000
const MAX_VALUES = 100

const CATALOGUES = ['regiones', 'ciudades', 'marcas', 'modelos', 'versiones', 'carrocerias', 'colores'] as const

export const READ_TOOLS: readonly Tool[] = [
  defineTool(
    'search_agencias',
    {
      title: 'Search agencies',
      description:
        'The agencies that are associated with the app or invited by it, by part of their name, mail or place.',
      input: {
        text: z.string().max(100).default('').describe('Part of the name, mail or place; empty: all'),
        limit: LIMIT,
      },
    },
    async (client, { text, limit }) => {
      const wanted = normalize(text)
      const agencias: object[] = []
      let scanned = 0
      for await (const agencia of client.listarAgencias()) {
        if (++scanned > MAX_SCANNED || agencias.length > limit) break
        const { AdminMail, Nombre, RazonSocial, Region, Ciudad } = agencia
        const words = normalize([AdminMail, Nombre, RazonSocial, Region, Ciudad].filter(Boolean).join(' '))
        if (words.includes(wanted)) agencias.push(shortAgencia(agencia))
      }
      return { agencias: agencias.slice(0, limit), more: agencias.length > limit || scanned > MAX_SCANNED }
    },
  ),
  defineTool(
    'get_agencia',
    {
      title: 'An agency',
      description: 'Everything about one agency, with its package of listings.',
      input: { adminMail: ADMIN_MAIL },
    },
    async (client, { adminMail }) => ({
      agencia: await client.verAgencia({ adminMail }),
      productos: await client.verProductosDeAgencia({ adminMail }),
    }),
  ),
  defineTool(
    'search_consultas',
    {
      title: 'Search inquiries',
      description:
        'The inquiries of an agency by day, newest first, without the person’s contact data and comment: get_consulta has them.',
      input: {
        adminMail: ADMIN_MAIL,
        desde: DAY.optional().describe('The first day, YYYY-MM-DD; at most 90 days ago, which is the default'),
        hasta: DAY.optional().describe('The last day, YYYY-MM-DD; today by default'),
        externalId: EXTERNAL_ID.optional().describe('Only about this listing'),
        operador: z.string().max(254).optional().describe('Only those of this salesperson’s mail'),
        pagina: PAGE.optional(),
      },
    },
    async (client, { externalId: externalid, ...args }) => {
      const { _entries, _links, ...page } = await client.listarConsultas(given({ ...args, externalid }))
      return { ...page, consultas: _entries.map(shortConsulta) }
    },
  ),
  defineTool(
    'get_consulta',
    {
      title: 'An inquiry',
      description: 'One inquiry with the person’s comment and contact data: use it only where that is needed.',
      input: { adminMail: ADMIN_MAIL, sid: SID },
    },
    async (client, args) => client.verConsulta(args),
  ),
  defineTool(
    'search_publicaciones',
    {
      title: 'Search listings',
      description: 'The listings that the app published for an agency.',
      input: {
        adminMail: ADMIN_MAIL,
        q: z.string().max(100).optional().describe('Parts of make, model, version, ExternalId or RefStock'),
        estado: z.enum(['Activa', 'Suspendida', 'Archivada']).optional().describe('By default all but archived ones'),
        pagina: PAGE.optional(),
      },
    },
    async (client, args) => {
      const { _entries, _links, ...page } = await client.listarPublicaciones(given(args))
      return { ...page, publicaciones: _entries.map(shortPublicacion) }
    },
  ),
  defineTool(
    'get_publicacion',
    {
      title: 'A listing',
      description: 'One listing, with its visits and inquiries by day.',
      input: { adminMail: ADMIN_MAIL, externalId: EXTERNAL_ID },
    },
    async (client, { adminMail, externalId: externalid }) => ({
      publicacion: await client.verPublicacion({ adminMail, externalid }),
      estadisticas: await client.verEstadisticasDePublicacion({ adminMail, externalid }),
    }),
  ),
  defineTool(
    'list_webhooks',
    {
      title: 'Webhooks',
      description: 'Every topic, whether a webhook is configured for it, its address and its health.',
      input: {},
    },
    async (client) => ({ webhooks: (await client.listarWebhooks())._entries }),
  ),
  defineTool(
    'search_entregas',
    {
      title: 'Search deliveries',
      description: 'The deliveries of a topic’s webhook, newest first.',
      input: {
        topic: TOPIC,
        estado: z
          .string()
          .max(100)
          .optional()
          .describe('pendiente, entregada, fallida, descartada, or several with commas'),
        adminMail: ADMIN_MAIL.optional(),
        evento: z.string().length(26).optional().describe('The event’s Id'),
        sid: SID.optional(),
        desde: DAY.optional(),
        hasta: DAY.optional(),
        cursor: z.string().max(100).optional().describe('The next of the previous answer'),
      },
    },
    async (client, args) => {
      const { _entries, _links } = await client.listarEntregas(given(args))
      const next = cursorOf(_links.next?.href)
      return { entregas: _entries.map(({ _links: _, ...entrega }) => entrega), next }
    },
  ),
  defineTool(
    'explain_entrega',
    {
      title: 'Explain a delivery',
      description: 'Why a delivery failed or waits: its attempts, the webhook’s health, and what to do.',
      input: { topic: TOPIC, id: z.string().length(26).describe('The delivery’s Id, as search_entregas gives it') },
    },
    async (client, args) => explainDelivery(client, args),
  ),
  defineTool(
    'list_eventos',
    {
      title: 'Events',
      description: 'The feed of the last 90 days, oldest first, whether or not a webhook was configured.',
      input: { cursor: z.string().max(200).optional().describe('The next of the previous answer; fin is now') },
    },
    async (client, args) => {
      const { _entries, _links } = await client.listarEventos(given(args))
      return {
        eventos: _entries.map(({ Id, Topic, Momento, AdminMail }) => ({ Id, Topic, Momento, AdminMail })),
        next: cursorOf(_links.next?.href),
      }
    },
  ),
  defineTool(
    'search_catalogo',
    {
      title: 'Search a catalogue',
      description:
        'Entries of a catalogue by part of their name. Cities need a region or text, models a make or text, versions a model.',
      input: {
        catalogo: z.enum(CATALOGUES),
        text: z.string().max(100).optional().describe('Part of the name'),
        region: z.int().optional().describe('For cities: the region’s id'),
        marca: z.int().optional().describe('For models: the make’s id'),
        modelo: z.int().optional().describe('For versions: the model’s id'),
        limit: LIMIT,
      },
    },
    async (client, { catalogo, text, limit, ...filters }) =>
      searchCatalogue(client, catalogo, { text, limit, filters }),
  ),
  defineTool(
    'bestmatch',
    {
      title: 'Match values',
      description:
        'What a partner’s own texts mean in the catalogues: a certain match with its score, or the nearest candidates. city needs state, model needs make, version needs make and model.',
      input: {
        kind: z.enum(KINDS),
        values: z
          .array(z.record(z.string(), z.string()))
          .min(1)
          .max(MAX_VALUES)
          .describe('One object each: {"state","city"}, {"make","model"}, {"make","model","trim","year"} or {"query"}'),
      },
    },
    async (client, { kind, values }) => ({
      results: await matchByApi(client)(
        kind,
        values.map((value) => textsOf(kind, value)),
      ),
    }),
  ),
]

const normalize = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const cursorOf = (href = ''): string | null => new URL(href, 'http://here').searchParams.get('cursor')

const shortAgencia = ({ AdminMail, Nombre, Estado, Region, Ciudad }: Agencia) => ({
  AdminMail,
  Nombre,
  Estado,
  Region,
  Ciudad,
})

/** Without the comment too: people write their phone number in it. */
function shortConsulta({ Momento, Estado, Auto, Interesado, OperadorResponsable, _links }: Consulta) {
  const auto = [Auto.Marca, Auto.Modelo, Auto.Version, Auto.VersionYear].filter(Boolean).join(' ')
  return {
    sid: idOf({ _links }),
    Momento,
    Estado,
    Auto: auto,
    ExternalId: Auto.ExternalId,
    OperadorResponsable,
    Nombre: Interesado.Nombre,
  }
}

const shortPublicacion = ({
  ExternalId,
  Estado,
  Marca,
  Modelo,
  Version,
  VersionYear,
  Precio,
  Suspension,
}: Publicacion) => ({
  ExternalId,
  Estado,
  Marca,
  Modelo,
  Version,
  VersionYear,
  Precio,
  Suspension,
})

interface CatalogueSearch {
  text: string | undefined
  limit: number
  filters: Record<string, number | undefined>
}

/** The lists of some catalogues cannot be searched: those are short, and searched here. */
async function searchCatalogue(client: Client, catalogo: string, { text, limit, filters }: CatalogueSearch) {
  const searches = ['ciudades', 'marcas', 'modelos', 'colores'].includes(catalogo)
  const query = new URLSearchParams(
    Object.entries(given(filters)).map(([name, value]): [string, string] => [name, String(value)]),
  )
  if (searches && text) query.set('q', text)
  const { _entries } = await client.request<{ _entries: ({ _links: Links } & Record<string, unknown>)[] }>(
    'GET',
    `/v3/${catalogo}?${query}`,
  )
  const entries = _entries
    .map(({ _links, ...entry }) => ({ id: idOf({ _links }), ...entry }))
    .filter((entry) => searches || !text || normalize(JSON.stringify(entry)).includes(normalize(text)))
  return { entries: entries.slice(0, limit), total: entries.length }
}
