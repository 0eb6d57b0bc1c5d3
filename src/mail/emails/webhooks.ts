import type { Block, Recipient } from '../content.ts'
import type { Email } from '../email.ts'
import { renderEmail } from '../layout.tsx'

/** A webhook whose deliveries do not arrive. */
export interface WebhookProblem extends Recipient {
  app: string
  topic: string
  /** Without its query, which may contain a secret. */
  callback: string
  ultimoError: string | null
  docsUrl: string
}

/** Warns an app's contact that deliveries fail. */
export function webhookFailingEmail(problem: WebhookProblem & { horas: number; enEspera: number }): Email {
  const { to, app, topic, callback, ultimoError, horas, enEspera, docsUrl, support } = problem
  const time = horas < 48 ? `${horas} horas` : `${horas / 24} días`
  return renderEmail({
    kind: 'webhook-fallando',
    to,
    subject: `${app}: las notificaciones de ${topic} no llegan hace ${time}`,
    title: `Las notificaciones de ${topic} no llegan`,
    preview: ultimoError ?? `Hace ${time} que ninguna se pudo entregar.`,
    blocks: [
      { words: 'Hola:' },
      { words: `Hace ${time} que ninguna notificación de ${topic} se puede entregar a la app ${app} en ${callback}.` },
      ...lastError(ultimoError),
      {
        words: `${enEspera === 1 ? 'Hay una en espera.' : `Hay ${enEspera} en espera.`} Seguimos intentando: apenas el receptor responda 2xx llegarán todas, sin que haga falta nada más.`,
      },
      { note: 'Si en 5 días no llega ninguna, dejaremos de intentarlo y la notificación quedará deshabilitada.' },
      { button: 'Ver la documentación', url: docsUrl },
    ],
    footer: footer(app),
    support,
  })
}

/** Tells an app's contact that its webhook was disabled, and how to enable it. */
export function webhookDisabledEmail(problem: WebhookProblem & { por: 'fallas' | '410' }): Email {
  const { to, app, topic, callback, ultimoError, por, docsUrl, support } = problem
  const why =
    por === '410'
      ? `El receptor de ${topic} respondió 410 en ${callback}: pidió no recibir más notificaciones.`
      : `En 5 días ninguna notificación de ${topic} se pudo entregar en ${callback}.`
  return renderEmail({
    kind: 'webhook-deshabilitado',
    to,
    subject: `${app}: la notificación de ${topic} quedó deshabilitada`,
    title: `La notificación de ${topic} quedó deshabilitada`,
    preview: 'No se perdió ningún evento. Le contamos cómo volver a recibirlos.',
    blocks: [
      { words: 'Hola:' },
      { words: `${why} Por eso la app ${app} ya no las recibe.` },
      ...(por === '410' ? [] : lastError(ultimoError)),
      { heading: 'Cómo volver a recibirlas' },
      { words: 'Ningún evento se perdió: se guardan 90 días. Cuando el receptor funcione:' },
      { words: 'Primero habilite la notificación, con "Activo": true:' },
      { call: `PUT /v3/appnotificaciones/${topic}` },
      { words: 'Después pida lo que faltó:' },
      { call: `POST /v3/appnotificaciones/${topic}/entregas/reenviar?estado=fallida,descartada` },
      { button: 'Ver la documentación', url: docsUrl },
    ],
    footer: footer(app),
    support,
  })
}

const lastError = (error: string | null): Block[] => (error ? [{ quote: error, by: 'El último error:' }] : [])

const footer = (app: string): string[] => [`Recibe este correo como contacto de la app ${app}.`]
