import { fullName } from '../accounts/account.ts'
import type { Rol } from '../accounts/links.ts'
import { dateFormat } from '../i18n/format.ts'
import { t } from '../i18n/messages.tsx'
import { inGroups } from '../phone.ts'
import { type Agencia, dataEntry, formatCampo, type Operador } from '../resources/agencias/agencia.ts'
import { EXPOSICIONES, type PaqueteToday } from '../resources/agencias/paquetes.ts'
import { DangerLink } from './fields.tsx'
import { formatPlace } from './format.tsx'
import { INVITE_REFUSALS } from './invited.tsx'
import { Facts, NamedRow } from './parts.tsx'

/** The texts for people who were not invited to an agency. */
export const AGENCY_REFUSALS = { ...INVITE_REFUSALS, flood: 'comun.invite.agencyFlood' } as const

interface PeopleProps {
  agencia: Agencia
  pending: readonly { accountId: number; email: string; rol: Rol }[]
  /** Where a person is removed, or an invitation withdrawn. */
  path: string
  /** Whether the viewer may do that. */
  decides: boolean
  hintOf(operador: Operador): string
}

/** Who works at an agency, and who was invited to. The administrator is replaced, not removed. */
export const AgencyPeople = ({ agencia, pending, path, decides, hintOf }: PeopleProps) => (
  <ul class="rows">
    {agencia.operadores.map((operador) => (
      <NamedRow
        key={operador.accountId}
        name={fullName(operador)}
        hint={hintOf(operador)}
        badge={t(`comun.role.${operador.rol}`)}
      >
        {decides && operador.rol !== 'administrador' && (
          <DangerLink
            href={`${path}/${operador.accountId}/quitar`}
            label={t('cuenta.remove')}
            to={t('cuenta.collaborators.toPerson', { name: fullName(operador) })}
          />
        )}
      </NamedRow>
    ))}
    {pending.map(({ accountId, email, rol }) => (
      <NamedRow
        key={`${accountId}-${rol}`}
        name={email}
        hint={t(rol === 'administrador' ? 'comun.invite.pendingAdmin' : 'comun.invite.pending')}
      >
        <DangerLink
          href={`${path}/${accountId}/retirar`}
          label={t('comun.invite.withdraw')}
          to={t('comun.invite.withdraw.invitation', { email })}
        />
      </NamedRow>
    ))}
  </ul>
)

/** Whether an invitation that was not accepted is taken back. */
export const withdrawQuestion = (email: string) => ({
  title: t('comun.invite.withdraw.title', { name: email }),
  button: t('comun.invite.withdraw.button'),
  consequences: [t('comun.invite.withdraw.done')],
})

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
  const place = formatPlace(direccion, codigoPostal, ciudad, region)
  const entry = dataEntry(agencia)
  const WhatsApp = entry.WhatsApp && inGroups(entry.WhatsApp)
  const data = { ...entry, WhatsApp, AdminMail: adminMail, Direccion: place }
  return <Facts rows={SHOWN.map((name) => [formatCampo(name, country), data[name]])} />
}

export const PAQUETE_BADGES = { vigente: 'badge ok', vencido: 'badge error', 'sin-contratar': 'badge' }

export function PaqueteUse({ contracted }: { contracted: PaqueteToday }) {
  const { nombre, desde, hasta, estado, usadas, consultasDeCatalogo } = contracted
  if (nombre === null) return <p class="empty">{t('comun.package.none')}</p>
  const rows = EXPOSICIONES.map((name) => ({
    name,
    total: contracted[name.toLowerCase() as Lowercase<typeof name>],
    used: usadas[name],
  })).filter(({ total, used }) => total > 0 || used > 0)
  return (
    <>
      <p class="facts">
        <strong>{nombre}</strong>
        <span class={PAQUETE_BADGES[estado]}>{t(`comun.package.${estado}`)}</span>
        <span>
          {desde && dayOnly(desde)} – {hasta && dayOnly(hasta)}
        </span>
      </p>
      <ul class="uses">
        {rows.map(({ name, total, used }) => (
          <li key={name}>
            <span>
              {t(`comun.package.exposure.${name}`)}
              <span class="hint">
                {t('comun.package.use', { used, total })}{' '}
                {total - used > 0 && estado === 'vigente' && `· ${t('comun.package.left', { count: total - used })}`}
              </span>
            </span>
            <meter min={0} max={Math.max(total, used, 1)} value={used}>
              {t('comun.package.use', { used, total })}
            </meter>
          </li>
        ))}
      </ul>
      {estado === 'vencido' && <p>{t('comun.package.renew')}</p>}
      <p class="hint">{t(consultasDeCatalogo ? 'comun.package.withCatalogue' : 'comun.package.withoutCatalogue')}</p>
    </>
  )
}

/** A day as in a contract: 14/3/2026. */
const dayOnly = (day: string): string => DAY().format(new Date(`${day}T00:00:00Z`))

const DAY = dateFormat({ dateStyle: 'short' })
