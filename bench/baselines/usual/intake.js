// Intake: an inquiry is stored with its events, their deliveries and its e-mails in one transaction; once under one key.
import { createHash } from 'node:crypto'
import { and, asc, count, eq, gt, gte, inArray, isNull, or } from 'drizzle-orm'
import { Router } from 'express'
import { z } from 'zod'
import { consultaEntry } from './consultas.js'
import { firstUlid, toTimestamp, ulid } from './ids.js'
import { check, invalid, Problem } from './problems.js'
import {
  accounts,
  agencias,
  apps,
  asociaciones,
  consultas,
  deliveries,
  events,
  idempotencyKeys,
  mails,
  operadores,
  publicaciones,
  webhooks,
} from './tables.js'

const TOPIC = 'consulta.recibida'
const DAY_MS = 86_400_000
const RECEIPTS_PER_DAY = 5

const text = (most) => z.string().trim().max(most).nullish()
const person = z
  .strictObject({
    Interes: z.enum(['compra', 'financiacion', 'permuta', 'prueba-de-manejo', 'otro']).nullish(),
    Nombre: z.string().trim().min(1).max(100),
    Apellido: text(100),
    Email: z.email().max(254).nullish(),
    Telefono: z.string().min(6).max(30).nullish(),
    DocIdentidad: text(30),
    Provincia: text(100),
    Ciudad: text(100),
    Comentario: text(2000),
  })
  .refine(({ Email, Telefono }) => Email || Telefono, { message: 'Indique un correo o un teléfono.', path: ['Email'] })
const inquiry = z.strictObject({
  Aviso: z.number().int().positive(),
  OrigenLead: z.enum(['form', 'whatsapp', 'telefono', 'chat', 'email', 'otro']),
  Interesado: person,
  OperadorResponsable: z.email().nullish(),
})

const interesadoOf = (given) => ({
  Interes: given.Interes ?? 'compra',
  Nombre: given.Nombre,
  Apellido: given.Apellido ?? '',
  Email: given.Email ?? '',
  Telefono: given.Telefono ?? null,
  DocIdentidad: given.DocIdentidad ?? null,
  Provincia: given.Provincia ?? null,
  Ciudad: given.Ciudad ?? null,
  Comentario: given.Comentario ?? null,
  InfoOperacion: null,
})

const autoOf = (listing) => ({
  ExternalId: listing.externalId,
  RefStock: listing.refStock,
  Marca: listing.marca,
  Modelo: listing.modelo,
  Version: listing.version,
  VersionYear: listing.versionYear,
  Kilometraje: listing.kilometraje,
  Color: listing.color,
  BodyType: listing.carroceria,
  Estado: listing.kilometraje === 0 ? 'nuevo' : 'usado',
  Precio: listing.precioMoneda && { Moneda: listing.precioMoneda, Importe: listing.precioImporte },
  Anticipo: null,
  Cuota: null,
})

/** The sid that a request under the same key has led to; undefined where this one is the first. */
async function receivedBefore(tx, site, key, bytes, sid) {
  if (!key) return undefined
  const digest = createHash('sha256').update(bytes).digest()
  const own = { sitioId: site.id, key, digest, sid }
  const made = await tx.insert(idempotencyKeys).values(own).onConflictDoNothing().returning()
  if (made.length > 0) return undefined
  const [used] = await tx
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.sitioId, site.id), eq(idempotencyKeys.key, key)))
  if (!used.digest.equals(digest)) throw new Problem(409, 'Esa Idempotency-Key ya se usó para otra consulta.')
  return used.sid
}

async function firstByPerson(tx, { email, telefono, publicacionId }) {
  const who = [email && eq(consultas.email, email), telefono && eq(consultas.telefono, telefono)].filter(Boolean)
  const recent = gte(consultas.sid, firstUlid(Date.now() - DAY_MS))
  const [first] = await tx
    .select({ sid: consultas.sid })
    .from(consultas)
    .where(and(or(...who), eq(consultas.publicacionId, publicacionId), recent))
    .orderBy(asc(consultas.sid))
    .limit(1)
  return first?.sid ?? null
}

/** Writes an event for each app that sees the inquiry, and a delivery where the app has a webhook. */
async function publish(tx, row, agencia, timeZone) {
  const seeing = await tx
    .select({ appId: asociaciones.appId, otros: asociaciones.consultasDeOtros })
    .from(asociaciones)
    .where(and(eq(asociaciones.agenciaId, agencia.id), isNull(asociaciones.endedAt)))
    .for('share')
  const published = seeing
    .filter(({ appId, otros }) => appId === row.fuente || otros)
    .map(({ appId }) => {
      const id = ulid()
      const payload = {
        Id: id,
        Topic: TOPIC,
        Version: 1,
        Momento: toTimestamp(new Date(), timeZone),
        Agencia: { href: `/v3/agencias/${agencia.adminMail}`, title: `${agencia.nombre} (${agencia.adminMail})` },
        AdminMail: agencia.adminMail,
        Consulta: consultaEntry(row, agencia.adminMail, timeZone),
      }
      return { id, appId, agenciaId: agencia.id, topic: TOPIC, sid: row.sid, payload: JSON.stringify(payload) }
    })
  if (published.length === 0) return
  await tx.insert(events).values(published)
  const listening = await tx
    .select({ webhook: webhooks, topics: apps.topics })
    .from(webhooks)
    .innerJoin(apps, eq(apps.id, webhooks.appId))
    .where(
      and(
        eq(webhooks.topic, TOPIC),
        inArray(
          webhooks.appId,
          published.map(({ appId }) => appId),
        ),
      ),
    )
  const put = listening.flatMap(({ webhook, topics }) =>
    published
      .filter(({ appId }) => appId === webhook.appId)
      .map(({ id, appId }) => {
        const isOn = webhook.activo && !webhook.disabledAt && (!topics || topics.includes(TOPIC))
        return { id, appId, webhookId: webhook.id, estado: isOn ? 'pendiente' : 'descartada' }
      }),
  )
  if (put.length > 0) await tx.insert(deliveries).values(put)
}

async function enqueueEmails(tx, { sid, operador, email }) {
  const emails = [{ kind: 'consulta', toAddress: operador, sid }]
  if (email) {
    const dayAgo = new Date(Date.now() - DAY_MS)
    const receipt = and(eq(mails.toAddress, email), eq(mails.kind, 'consulta-recibo'), gt(mails.createdAt, dayAgo))
    const [{ sent }] = await tx.select({ sent: count() }).from(mails).where(receipt)
    if (sent < RECEIPTS_PER_DAY) emails.push({ kind: 'consulta-recibo', toAddress: email, sid })
  }
  await tx.insert(mails).values(emails)
}

export function intakeRoutes({ db, timeZone }) {
  async function receive(tx, request, body) {
    const sid = ulid()
    const before = await receivedBefore(tx, request.site, request.get('idempotency-key'), request.rawBody, sid)
    const [found] = await tx
      .select()
      .from(publicaciones)
      .innerJoin(agencias, eq(agencias.id, publicaciones.agenciaId))
      .where(and(eq(publicaciones.id, body.Aviso), eq(publicaciones.modo, request.site.modo)))
    if (!found) throw invalid({ Aviso: ['No existe ese aviso.'] })
    const { publicaciones: listing, agencias: agencia } = found
    if (before) {
      const [row] = await tx.select().from(consultas).where(eq(consultas.sid, before))
      return { row, agencia }
    }
    const people = await tx
      .select({ email: accounts.email, rol: operadores.rol })
      .from(operadores)
      .innerJoin(accounts, eq(accounts.id, operadores.accountId))
      .where(eq(operadores.agenciaId, agencia.id))
    const operator = body.OperadorResponsable?.toLowerCase()
    if (operator && !people.some(({ email }) => email === operator))
      throw invalid({ OperadorResponsable: ['No trabaja en esa agencia con esa dirección.'] })
    const interesado = interesadoOf(body.Interesado)
    const keys = {
      email: interesado.Email.toLowerCase() || null,
      telefono: interesado.Telefono?.replace(/\D/g, '') || null,
      publicacionId: listing.id,
    }
    const row = {
      ...keys,
      sid,
      modo: request.site.modo,
      agenciaId: agencia.id,
      fuente: listing.appId,
      externalKey: listing.externalId.toLowerCase(),
      tipoAnuncio: 'publicacion',
      origenLead: body.OrigenLead,
      auto: JSON.stringify(autoOf(listing)),
      interesado: JSON.stringify(interesado),
      operador: operator ?? people.find(({ email }) => email === listing.operador)?.email ?? agencia.adminMail,
      estado: 'nueva',
      repite: await firstByPerson(tx, keys),
      sitioId: request.site.id,
    }
    await tx.insert(consultas).values(row)
    await publish(tx, row, agencia, timeZone)
    await enqueueEmails(tx, row)
    return { row, agencia }
  }

  const router = Router()
  router.post('/interno/v1/consultas', async (request, response) => {
    const body = check(inquiry, request.body)
    const { row, agencia } = await db.transaction((tx) => receive(tx, request, body))
    response.status(201).set('Cache-Control', 'no-store').location(`/v3/consultas/${agencia.adminMail}/${row.sid}`)
    response.json(consultaEntry(row, agencia.adminMail, timeZone))
  })
  return router
}
