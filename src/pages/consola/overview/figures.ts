import { type Period, usageOf } from '../../../apps/usage-store.ts'
import { addDays, dayOf } from '../../../http/dates.ts'
import { countFailedEmails } from '../../../mail/mails.ts'
import { type AgenciaFigures, agenciaFigures } from '../../../resources/agencias/figures.ts'
import { inquiriesByDay } from '../../../resources/consultas/counts.ts'
import {
  type FailingWebhook,
  failingWebhooks,
  type PendingDeliveries,
  pendingDeliveries,
} from '../../../webhooks/status.ts'
import type { PageDeps } from '../../signed-in.ts'

/** As many days of inquiries as the page draws, and as the part compares that asks for itself anew. */
export const DAYS = 30
export const WEEK = 8
const HOURS = 24
export const FAILED_DAYS = 7

/** How the market does, at a glance. Of production; what is delivered is of all apps. */
export interface Figures extends AgenciaFigures {
  days: { dia: string; consultas: number }[]
  hours: Period[]
  waiting: PendingDeliveries
  ailing: FailingWebhook[]
  failedLetters: number
  /** Whether there is a mail server. */
  mails: boolean
}

/** Asks for all of it at once. */
export async function figuresOf({ store, config, clock }: PageDeps, count: number): Promise<Figures> {
  const { timeZone } = config
  const hasta = dayOf(clock(), timeZone)
  const [agencias, days, hours, waiting, ailing, failed] = await Promise.all([
    agenciaFigures(store, 'produccion'),
    inquiriesByDay(store, 'produccion', { desde: addDays(hasta, 1 - count), hasta }),
    usageOf(store, { step: 'hour', count: HOURS, timeZone }),
    pendingDeliveries(store),
    failingWebhooks(store),
    countFailedEmails(store, FAILED_DAYS),
  ])
  return { ...agencias, days, hours, waiting, ailing, failedLetters: failed, mails: config.smtpUrl !== undefined }
}
