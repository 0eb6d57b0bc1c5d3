import type { Agencia, Asociacion } from '../../../resources/agencias/agencia.ts'
import { Select } from '../../fields.tsx'
import { formatDay } from '../../format.tsx'
import { AssociationActs, PermissionList, PermissionTicks } from '../../permissions.tsx'
import { agenciaHref } from './parts.tsx'

interface Props {
  agencia: Agencia
  asociaciones: Asociacion[]
  /** What it could be associated with. */
  apps: { appKey: string; nombre: string }[]
  timeZone: string
}

/** The apps that work with the agency, and the way to let one in. */
export const AgencyApps = ({ agencia, asociaciones, apps, timeZone }: Props) => (
  <section id="apps">
    <h2>Apps</h2>
    {asociaciones.length === 0 ? (
      <p class="empty">Ninguna app trabaja con la agencia. Puede asociar una abajo, si la agencia lo pidió.</p>
    ) : (
      <ul class="cards">
        {asociaciones.map((asociacion) => (
          <li key={asociacion.app.appKey} class="card">
            <AppCard agencia={agencia} asociacion={asociacion} timeZone={timeZone} />
          </li>
        ))}
      </ul>
    )}
    {apps.length > 0 && (
      <details>
        <summary>Asociar una app</summary>
        <form method="post" action={`${agenciaHref(agencia)}/apps`} class="sheet limited">
          <p class="hint">
            Solo a pedido de quien administra la agencia. La app recibe agencia.registrada, y la agencia puede
            terminarlo desde su cuenta.
          </p>
          <Select name="App" label="App" choices={apps.map(({ appKey, nombre }) => [appKey, nombre] as const)} />
          <PermissionTicks
            permisos={{ editar: false, consultasDeCatalogo: false, consultasDeOtros: false }}
            of="-nueva"
          />
          <button type="submit">Asociar</button>
        </form>
      </details>
    )}
  </section>
)

function AppCard({ agencia, asociacion, timeZone }: Omit<Props, 'asociaciones' | 'apps'> & { asociacion: Asociacion }) {
  const { app, desde } = asociacion
  const path = `${agenciaHref(agencia)}/apps/${app.appKey}`
  return (
    <>
      <h3>
        <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
      </h3>
      <p class="hint">Desde el {formatDay(desde, timeZone)}</p>
      <ul class="checks">
        <PermissionList permisos={asociacion} />
      </ul>
      <AssociationActs asociacion={asociacion} path={path} />
    </>
  )
}
