import type { Account } from '../../accounts/account.ts'
import type { Rol } from '../../accounts/links.ts'
import { withQuery } from '../../http/links.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import type { Nav, QueryParams } from '../app-shell.tsx'

/** An agency, as one of its people sees it. */
export type OwnAgencia = Agencia & { rol: Rol }

/** A person at an agency, and all agencies where they work; the one that they administer comes first. */
export interface At {
  account: Account
  agencia: OwnAgencia
  all: readonly OwnAgencia[]
}

const SECTIONS = {
  '/cuenta': 'Resumen',
  '/cuenta/consultas': 'Consultas',
  '/cuenta/publicaciones': 'Avisos',
  '/cuenta/datos': 'Datos',
  '/cuenta/sucursales': 'Sucursales',
  '/cuenta/apps': 'Apps',
  '/cuenta/colaboradores': 'Colaboradores',
  '/cuenta/acceso': 'Mi acceso',
}

export const ROLES: Record<Rol, string> = { administrador: 'Administrador', vendedor: 'Vendedor' }

/** The query parameter that names the agency; the person's first one needs none. */
export const agencyParam = ({ agencia, all }: Pick<At, 'agencia' | 'all'>): QueryParams => ({
  agencia: agencia.id === all[0]?.id ? undefined : agencia.id,
})

/** The address of a page of the agency. */
export const pathAt = (at: Pick<At, 'agencia' | 'all'>, path: string, params: QueryParams = {}): string =>
  withQuery(path, { ...agencyParam(at), ...params })

/** The account of an agency, page by page, and the way to another agency of the person's. */
export const navOf = (at: At): Nav => ({
  title: at.agencia.nombre,
  note: <Note {...at} />,
  items: Object.entries(SECTIONS).map(([path, label]) => ({ href: pathAt(at, path), label })),
})

const Note = ({ agencia, all }: At) => (
  <>
    <span class="badge">{ROLES[agencia.rol]}</span>
    {all
      .filter(({ id }) => id !== agencia.id)
      .map((other) => (
        <a key={other.id} class="elsewhere" href={pathAt({ agencia: other, all }, '/cuenta')}>
          Ir a {other.nombre}
        </a>
      ))}
  </>
)

/** The account of somebody who works at no agency. */
export const ALONE: Nav = {
  title: 'Mi cuenta',
  items: [
    { href: '/cuenta', label: 'Resumen' },
    { href: '/cuenta/acceso', label: 'Mi acceso' },
  ],
}
