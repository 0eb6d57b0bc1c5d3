import type { Asociacion, Permisos } from '../resources/agencias/agencia.ts'
import { DangerLink, Tick } from './fields.tsx'
import { isChecked } from './form.ts'

/** What an agency can allow an app beyond its own listings. */
const PERMISSIONS = {
  editar: {
    label: 'Editar los datos de la agencia',
    hint: 'Nombre, teléfonos, dirección. Le avisamos por correo de cada cambio.',
  },
  consultasDeCatalogo: {
    label: 'Ver las consultas de catálogo',
    hint: 'Las de personas que preguntan por un modelo nuevo, sin un aviso en particular.',
  },
  consultasDeOtros: {
    label: 'Ver las consultas de avisos de otros',
    hint: 'Las que reciben los avisos que la agencia publicó por otra app o por su cuenta.',
  },
} as const

/** What every associated app sees, whatever else it may do. */
const ALWAYS = [
  'Los datos de la agencia y sus colaboradores.',
  'El paquete contratado y cuántos avisos quedan.',
  'Los avisos que publica, y las consultas que reciben.',
]

export const AlwaysSeen = () => (
  <ul class="checks">
    {ALWAYS.map((each) => (
      <li key={each}>{each}</li>
    ))}
  </ul>
)

const NAMES = Object.keys(PERMISSIONS) as (keyof Permisos)[]

/** `of` tells the boxes of one app from those of another on the same page. */
export const PermissionTicks = ({ permisos, of = '' }: { permisos?: Permisos | undefined; of?: string }) => (
  <>
    {NAMES.map((name) => (
      <Tick key={name} name={name} of={of} {...PERMISSIONS[name]} checked={permisos?.[name] ?? false} />
    ))}
  </>
)

export const PermissionList = ({ permisos }: { permisos: Permisos }) => (
  <>
    {NAMES.map((name) => (
      <li key={name} class={permisos[name] ? '' : 'not'}>
        {!permisos[name] && <span class="visually-hidden">No permitido: </span>}
        {PERMISSIONS[name].label}
      </li>
    ))}
  </>
)

export const AssociationActs = ({ asociacion, path }: { asociacion: Asociacion; path: string }) => (
  <>
    <details>
      <summary>
        Cambiar lo que puede hacer<span class="visually-hidden"> {asociacion.app.nombre}</span>
      </summary>
      <form method="post" action={path}>
        <PermissionTicks permisos={asociacion} of={`-${asociacion.app.appKey}`} />
        <button type="submit">Guardar</button>
      </form>
    </details>
    <p class="beside">
      <DangerLink href={`${path}/terminar`} label="Terminar la asociación" to={`con ${asociacion.app.nombre}`} />
    </p>
  </>
)

export const permissionsIn = (form: URLSearchParams): Permisos => ({
  editar: isChecked(form, 'editar'),
  consultasDeCatalogo: isChecked(form, 'consultasDeCatalogo'),
  consultasDeOtros: isChecked(form, 'consultasDeOtros'),
})
