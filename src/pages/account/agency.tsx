import { fullName } from '../../accounts/account.ts'
import type { Rol } from '../../accounts/links.ts'
import type { Agencia, Asociacion } from '../../resources/agencias/agencia.ts'
import { dayInWords } from '../dates.ts'
import { NAMES, PERMISSIONS, PermissionTicks } from './permissions.tsx'

export const ROLES: Record<Rol, string> = { administrador: 'Administrador', vendedor: 'Vendedor' }

/** What the agency says of itself, as apps and the marketplace show it. */
export function AgencyData({ agencia }: { agencia: Agencia }) {
  const { nombre, razonSocial, idFiscal, telefono, whatsapp, sitioWeb, direccion, codigoPostal } = agencia
  const place = [direccion, codigoPostal, agencia.ciudad, agencia.region].filter(Boolean).join(', ')
  const rows: [string, string | null][] = [
    ['Nombre', nombre],
    ['Correo del administrador', agencia.adminMail],
    ['Razón social', razonSocial],
    ['CUIT', idFiscal],
    ['Teléfono', telefono],
    ['WhatsApp', whatsapp],
    ['Sitio', sitioWeb],
    ['Dirección', place],
  ]
  return (
    <dl class="data">
      {rows
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

interface AppsProps {
  asociaciones: Asociacion[]
  timeZone: string
  /** The administrator decides; others see. */
  decides: boolean
}

/** The apps that work with the agency: what each may see and since when, and the way to change or end it. */
export function Apps({ asociaciones, timeZone, decides }: AppsProps) {
  if (asociaciones.length === 0)
    return (
      <p class="empty">
        Ninguna app trabaja hoy con la agencia. Para asociar una, use el enlace que le da el sistema con el que trabaja.
      </p>
    )
  return (
    <ul class="cards">
      {asociaciones.map((asociacion) => (
        <li key={asociacion.app.appKey} class="card">
          <AppCard asociacion={asociacion} timeZone={timeZone} decides={decides} />
        </li>
      ))}
    </ul>
  )
}

function AppCard({ asociacion, timeZone, decides }: { asociacion: Asociacion; timeZone: string; decides: boolean }) {
  const { app, desde } = asociacion
  const path = `/cuenta/apps/${app.appKey}`
  return (
    <>
      <h3>{app.nombre}</h3>
      <p class="hint">Desde el {dayInWords(desde, timeZone)}</p>
      <ul class="checks">
        <li>Ve los datos y el paquete de la agencia, y las consultas de los avisos que publica</li>
        {NAMES.map((name) => (
          <li key={name} class={asociacion[name] ? '' : 'not'}>
            {!asociacion[name] && <span class="visually-hidden">No permitido: </span>}
            {PERMISSIONS[name].label}
          </li>
        ))}
      </ul>
      {decides && (
        <>
          <details>
            <summary>
              Cambiar lo que puede hacer<span class="visually-hidden"> {app.nombre}</span>
            </summary>
            <form method="post" action={path}>
              <PermissionTicks permisos={asociacion} of={`-${app.appKey}`} />
              <button type="submit">Guardar</button>
            </form>
          </details>
          <p class="beside">
            <a class="danger" href={`${path}/terminar`}>
              Terminar la asociación<span class="visually-hidden"> con {app.nombre}</span>
            </a>
          </p>
        </>
      )}
    </>
  )
}

/** Somebody who was asked and has not come yet. */
export interface Pending {
  accountId: number
  email: string
  rol: Rol
}

/** Who works at the agency, and, for whoever decides, who was asked to. */
export function People({ agencia, pending, decides }: { agencia: Agencia; pending: Pending[]; decides: boolean }) {
  const works = (id: number) => agencia.operadores.some(({ accountId }) => accountId === id)
  return (
    <ul class="rows">
      {agencia.operadores.map((operador) => (
        <li key={operador.accountId}>
          <span>
            <strong>{fullName(operador)}</strong>
            <span class="hint">{operador.email}</span>
          </span>
          <span class="badge">{ROLES[operador.rol]}</span>
          {decides && operador.rol !== 'administrador' && (
            <a class="danger" href={`/cuenta/colaboradores/${operador.accountId}/quitar`}>
              Quitar<span class="visually-hidden"> a {fullName(operador)}</span>
            </a>
          )}
        </li>
      ))}
      {decides &&
        pending.map(({ accountId, email, rol }) => (
          <li key={accountId}>
            <span>
              <strong>{email}</strong>
              <span class="hint">
                {rol === 'administrador' ? 'Invitado a administrar la agencia' : 'Invitado'}; todavía no aceptó
              </span>
            </span>
            {!works(accountId) && (
              <a class="danger" href={`/cuenta/colaboradores/${accountId}/quitar`}>
                Retirar<span class="visually-hidden"> la invitación a {email}</span>
              </a>
            )}
          </li>
        ))}
    </ul>
  )
}
