import { formatHours } from '../i18n/format.ts'
import { t } from '../i18n/messages.tsx'
import type { PhoneLinks } from '../phone.ts'
import type { ChangeRow, Recipient } from './content.ts'
import type { Email, EmailKind } from './email.ts'
import { writeEmail } from './template.ts'

type Maybe = string | null | undefined

/** What an invitation by one-time link says: who invites, a name or an address, and where to accept. */
interface PersonalLink extends Recipient {
  porQuien: string
  url: string
}

const greeting = (nombre: Maybe): string =>
  nombre ? t('correo.greeting', { name: nombre }) : t('correo.greetingAnybody')

export const passwordEmail = (about: Recipient & { nombre?: Maybe; url: string; horas: number }): Email =>
  personalLink('clave', { ...about, saludo: greeting(about.nombre), tiempo: formatHours(about.horas) })

/** Tells the owner that the password changed; `claveUrl` is where to request another one. */
export const passwordChangedEmail = (about: Recipient & { nombre?: Maybe; claveUrl: string }): Email =>
  writeEmail({ kind: 'clave-cambiada' }, { ...about, saludo: greeting(about.nombre) })

export const collaboratorEmail = (about: PersonalLink & { agencia: string; horas: number }): Email =>
  personalLink('colaborar', { ...about, tiempo: formatHours(about.horas) })

export const administratorEmail = (about: PersonalLink & { agencia: string; horas: number }): Email =>
  personalLink('administrador', { ...about, tiempo: formatHours(about.horas) })

export const teamEmail = (about: PersonalLink & { app: string; dias: number }): Email =>
  personalLink('equipo', { ...about })

export const staffEmail = (about: PersonalLink & { dias: number }): Email => personalLink('personal', { ...about })

const personalLink = (kind: EmailKind, about: Parameters<typeof writeEmail>[1] & { url: string }): Email =>
  writeEmail({ kind, oneTimeUrls: [about.url] }, about)

type SecondFactorEvent =
  | 'configurado'
  | 'quitado'
  | 'llave'
  | 'llaveQuitada'
  | 'intentos'
  | 'reiniciado'
  | 'recuperacion'
  | 'codigos'

export interface SecondFactorChange extends Recipient {
  nombre: string
  hecho: SecondFactorEvent
  /** Who did it, if it was not the owner. */
  porQuien?: string
  claveUrl: string
}

export const secondFactorEmail = (about: SecondFactorChange): Email =>
  writeEmail(
    { kind: 'segundo-paso' },
    { ...about, saludo: greeting(about.nombre), cambio: t(`correo.secondFactor.${about.hecho}`) },
  )

interface Invitation extends Recipient {
  invitacionId: number
  invita: string
  /** The names of the agency and of its administrator, and a message, as the app gave them. */
  nombre?: Maybe
  adminNombre?: Maybe
  mensaje?: Maybe
  /** The app is in test mode. */
  prueba: boolean
  registroUrl: string
  bajaUrl: string
  /** The day it expires, formatted. */
  vence: string
}

export function invitacionEmail(about: Invitation): Email {
  const { invitacionId, registroUrl, bajaUrl, nombre, adminNombre } = about
  return writeEmail(
    { kind: 'invitacion', invitacionId, unsubscribeUrl: bajaUrl, oneTimeUrls: [registroUrl] },
    { ...about, saludo: greeting(adminNombre), agencia: nombre || t('correo.yourAgency') },
  )
}

export function changedEmail(
  about: Recipient & { agencia: string; app: string; cambios: ChangeRow[]; cuentaUrl: string },
): Email {
  const campos = about.cambios.map(({ campo }) => campo).join(', ')
  return writeEmail({ kind: 'agencia-modificada' }, { ...about, campos })
}

/** Tells the administrator that an association was ended, and how many of the app's listings are no longer shown. */
export function detachedEmail(
  about: Recipient & { agencia: string; app: string; by: 'app' | 'mercado'; avisos: number; cuentaUrl: string },
): Email {
  const { app, by, avisos, brand } = about
  return writeEmail(
    { kind: 'agencia-desasociada' },
    {
      ...about,
      quien: t(`correo.detached.${by}`, { app, brand: brand.nombre }),
      ayuda: t(`correo.detached.help.${by}`),
      avisos: t('correo.detached.listings', { count: avisos }),
    },
  )
}

/** Tells the former administrator; `nuevo` is the new one's address. */
export const replacedEmail = (about: Recipient & { agencia: string; nuevo: string }): Email =>
  writeEmail({ kind: 'administrador-reemplazado' }, { ...about })

interface Inquiry extends Recipient {
  agencia: string
  auto: string
  /** Price, mileage, the dealership's own numbers. */
  datos: string[]
  nombre: string
  email: string
  telefono: string | null
  telefonoLinks: PhoneLinks | undefined
  comentario: string | null
  /** Part exchange, financing, where they live. */
  detalles: string[]
  /** True if they asked about the same car within the last day. */
  repite: boolean
  url: string
}

/** An inquiry about a car. The dealership answers by replying to this email. */
export function inquiryEmail({ email, telefonoLinks, ...inquiry }: Inquiry): Email {
  const { agencia, nombre, comentario } = inquiry
  return writeEmail(
    { kind: 'consulta', ...(email && { replyTo: email }) },
    {
      ...inquiry,
      resumen: comentario ?? t('correo.inquiry.preview', { agency: agencia }),
      respuesta: email ? t('correo.inquiry.reply', { name: nombre }) : t('correo.inquiry.call', { name: nombre }),
      correoUrl: email && `mailto:${encodeURIComponent(email).replace('%40', '@')}`,
      telefonoUrl: telefonoLinks?.tel,
      whatsappUrl: telefonoLinks?.whatsapp,
    },
  )
}

/** Tells somebody that inquiries were given to them. It names nobody who asked: erasure does not reach it. */
export const assignedEmail = (
  about: Recipient & { agencia: string; porQuien: string; cantidad: number; url: string },
): Email =>
  writeEmail(
    { kind: 'consultas-asignadas' },
    { ...about, consultas: t('correo.assigned.count', { count: about.cantidad }) },
  )

/** Reminds somebody of an inquiry, when they wanted to be. */
export const reminderEmail = (
  about: Recipient & { agencia: string; auto: string; nombre: string; url: string },
): Email => writeEmail({ kind: 'recordatorio' }, { ...about })

interface ReceiptEmail extends Recipient {
  agencia: string
  /** How to reach the dealership: telephone, address. */
  contacto: string[]
  auto: string
  /** The day of the inquiry, formatted. */
  dia: string
  dias: number
  /** The law that grants the right, if we know it. */
  ley: string | undefined
}

/** It contains nothing that the sender typed, because anybody can enter another person's address. */
export function receiptEmail(receipt: ReceiptEmail): Email {
  const { agencia: agency, brand } = receipt
  const reachable = Boolean(brand.support.url || brand.support.mail)
  return writeEmail(
    { kind: 'consulta-recibo' },
    {
      ...receipt,
      donde: t(reachable ? 'correo.receipt.atBoth' : 'correo.receipt.atAgency', { brand: brand.nombre, agency }),
      siNoFue: reachable ? t('correo.receipt.tellUs') : t('correo.receipt.tellAgency', { agency }),
    },
  )
}

/** A webhook whose deliveries do not arrive. */
export interface WebhookProblem extends Recipient {
  app: string
  /** What people call it. */
  webhook: string
  /** The API's paths: its own, and that which resends what was not delivered. */
  ruta: string
  reenvio: string
  /** Without its query, which may contain a secret. */
  callback: string
  ultimoError: string | null
  /** Its page in the portal. */
  url: string
  docsUrl: string
}

export function webhookFailingEmail(about: WebhookProblem & { horas: number; enEspera: number }): Email {
  const tiempo = formatHours(about.horas)
  return writeEmail(
    { kind: 'webhook-fallando' },
    {
      ...about,
      tiempo,
      resumen: about.ultimoError ?? t('correo.webhook.failing', { time: tiempo }),
      espera: t('correo.webhook.waiting', { count: about.enEspera }),
    },
  )
}

export function webhookDisabledEmail(about: WebhookProblem & { por: 'fallas' | '410' }): Email {
  const { por, webhook, callback, ultimoError } = about
  const motivo = por === '410' ? 'correo.webhook.gone' : 'correo.webhook.failed'
  return writeEmail(
    { kind: 'webhook-deshabilitado' },
    { ...about, motivo: t(motivo, { topic: webhook, callback }), error: por === '410' ? null : ultimoError },
  )
}
