import { MAIL_CHARACTERS } from '../../../accounts/account.ts'
import type { EmailKind } from '../../../mail/email.ts'
import { listEmails, MAIL_STATES, type MailState } from '../../../mail/mails.ts'
import { selectFilter, textFilter } from '../../filter.tsx'
import { defineList, numberedPage } from '../../list.tsx'
import { momentColumn } from '../../table.tsx'
import { CONSOLE } from '../context.tsx'

/** The kinds of e-mails. */
const KINDS: Record<EmailKind, string> = {
  invitacion: 'Invitación a una agencia',
  clave: 'Enlace para elegir la clave',
  'clave-cambiada': 'Clave cambiada',
  colaborar: 'Invitación a colaborar',
  equipo: 'Invitación al equipo de una app',
  personal: 'Invitación al personal',
  'segundo-paso': 'Cambio del segundo paso',
  'agencia-modificada': 'Datos de la agencia modificados',
  administrador: 'Cambio de administrador',
  'administrador-reemplazado': 'Administrador reemplazado',
  consulta: 'Consulta, a la agencia',
  'consulta-recibo': 'Acuse, a quien consultó',
  'webhook-fallando': 'Webhook que falla',
  'webhook-deshabilitado': 'Webhook deshabilitado',
}

export const formatKind = (kind: string): string => (Object.hasOwn(KINDS, kind) ? KINDS[kind as EmailKind] : kind)

/** The states of an e-mail, and their colours. */
export const STATES: Record<MailState, { label: string; badge: string; means: string }> = {
  pendiente: { label: 'en camino', badge: 'status-3', means: 'Espera su turno, o el próximo intento.' },
  entregada: { label: 'entregado', badge: 'status-2', means: 'El servidor de correo lo aceptó.' },
  fallida: { label: 'no llegó', badge: 'status-5', means: 'El servidor de correo lo rechazó, o se dejó de intentar.' },
  guardada: { label: 'guardado', badge: 'status-4', means: 'No hay servidor de correo: se lee aquí.' },
}

export const CORREOS = '/consola/correos'

/** Every e-mail that was written, with its state. */
export const CORREOS_LIST = defineList({
  audience: CONSOLE,
  section: CORREOS,
  title: 'Correos',
  filters: {
    para: textFilter('Para (correo exacto)', { type: 'email', maxlength: MAIL_CHARACTERS }),
    tipo: selectFilter('Tipo', 'Todos', Object.entries(KINDS)),
    estado: selectFilter(
      'Estado',
      'Todos',
      MAIL_STATES.map((estado) => [estado, STATES[estado].label] as const),
    ),
  },
  load: async ({ store, config }, request) => {
    const { para: to, tipo: kind, estado } = request.filters
    const found = await numberedPage(request, (cursor) => listEmails(store, { to, kind, estado }, cursor))
    return { ...found, hasMailServer: config.smtpUrl !== undefined }
  },
  // Without the address: the log is no second place for it.
  audit: ({ csv, filters: { para, tipo, estado } }) => ({
    act: csv ? 'correos.bajar' : 'correos.listar',
    detail: { tipo, estado, porCorreo: para !== undefined },
  }),
  lead: ({ found }) =>
    found.hasMailServer ? (
      <p>Lo que se envió, lo que espera y lo que no llegó.</p>
    ) : (
      <p>
        No hay servidor de correo (<code>SMTP_URL</code>): los correos se guardan aquí, y sus enlaces sirven.
      </p>
    ),
  idOf: ({ id }) => id,
  columns: (ctx) => [
    {
      head: 'Correo',
      cell: ({ id, kind }) => <a href={`${CORREOS}/${id}`}>{formatKind(kind)}</a>,
      text: ({ kind }) => formatKind(kind),
    },
    { head: 'Para', cell: ({ to }) => <span class="wrap-anywhere">{to}</span>, text: ({ to }) => to },
    {
      head: 'Estado',
      cell: ({ estado }) => <span class={`badge ${STATES[estado].badge}`}>{STATES[estado].label}</span>,
      text: ({ estado }) => STATES[estado].label,
    },
    momentColumn('Escrito', ctx, ({ at }) => at),
    { head: 'Intentos', number: true, value: ({ attempts }) => attempts },
    {
      head: 'Error',
      cell: ({ lastError }) => <span class="hint">{lastError}</span>,
      text: ({ lastError }) => lastError,
    },
  ],
  empty: {
    none: 'Todavía no se escribió ningún correo. El primero sale cuando una app invita a una agencia.',
    noMatch: 'Ningún correo es así.',
    all: 'Ver todos',
  },
  csvName: 'correos',
})
