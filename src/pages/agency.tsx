import type { Rol } from '../accounts/links.ts'
import { type Agencia, dataEntry, formatCampo } from '../resources/agencias/agencia.ts'
import type { PackageToday } from '../resources/agencias/packages.ts'
import { INVITE_REFUSALS } from './invited.tsx'
import { Facts } from './parts.tsx'

export const AGENCY_REFUSALS = {
  ...INVITE_REFUSALS,
  flood: 'Hoy ya se enviaron todas las invitaciones que una agencia puede enviar en un día. Siga mañana.',
}

export const OPERADOR_ROLES: Record<Rol, string> = { administrador: 'Administrador', vendedor: 'Vendedor' }

export const pendingHint = (rol: Rol): string =>
  `${rol === 'administrador' ? 'Invitado a administrar la agencia' : 'Invitado'}; todavía no aceptó`

const SHOWN = [
  'Nombre',
  'AdminMail',
  'RazonSocial',
  'IdFiscal',
  'Telefono',
  'WhatsApp',
  'SitioWeb',
  'Direccion',
] as const

export function AgencyData({ agencia, country }: { agencia: Agencia; country: string }) {
  const { adminMail, direccion, codigoPostal, ciudad, region } = agencia
  const place = [direccion, codigoPostal, ciudad, region].filter(Boolean).join(', ')
  const data = { ...dataEntry(agencia), AdminMail: adminMail, Direccion: place }
  return <Facts rows={SHOWN.map((name) => [formatCampo(name, country), data[name]])} />
}

const BADGES = {
  vigente: <span class="badge status-2">Vigente</span>,
  vencido: <span class="badge warning">Vencido</span>,
  'sin-contratar': <span class="badge">Todavía no empezó</span>,
}

export function PackageUse({ contracted }: { contracted: PackageToday }) {
  const { nombre, desde, hasta, estado, usadas, consultasDeCatalogo } = contracted
  if (nombre === null)
    return (
      <p class="empty">
        Todavía no tiene un paquete: mientras no lo tenga, sus avisos no se muestran. Pídalo a atención al cliente.
      </p>
    )
  const rows = (['Alta', 'Media', 'Baja'] as const)
    .map((name) => ({ name, total: contracted[name.toLowerCase() as Lowercase<typeof name>], used: usadas[name] }))
    .filter(({ total, used }) => total > 0 || used > 0)
  return (
    <>
      <p class="facts">
        <strong>{nombre}</strong>
        {BADGES[estado]}
        <span>
          {desde && dayOnly(desde)} – {hasta && dayOnly(hasta)}
        </span>
      </p>
      <ul class="uses">
        {rows.map(({ name, total, used }) => (
          <li key={name}>
            <span>
              Exposición {name.toLowerCase()}
              <span class="hint">
                {used} de {total} {total - used > 0 && estado === 'vigente' && `· ${left(total - used)}`}
              </span>
            </span>
            <meter min={0} max={Math.max(total, used, 1)} value={used}>
              {used} de {total}
            </meter>
          </li>
        ))}
      </ul>
      {estado === 'vencido' && <p>Los avisos vuelven a mostrarse cuando renueve el paquete.</p>}
      <p class="hint">
        {consultasDeCatalogo
          ? 'Incluye las consultas de quienes preguntan por un modelo nuevo, sin un aviso en particular.'
          : 'No incluye las consultas de catálogo.'}
      </p>
    </>
  )
}

const left = (count: number): string => (count === 1 ? 'queda uno' : `quedan ${count}`)

/** A day as in a contract: 14/3/2026. */
const dayOnly = (day: string): string =>
  new Intl.DateTimeFormat('es-AR', { timeZone: 'UTC', dateStyle: 'short' }).format(new Date(`${day}T00:00:00Z`))
