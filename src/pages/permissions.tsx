import type { ComponentChildren } from 'preact'
import { t } from '../i18n/messages.tsx'
import type { Asociacion, Permisos } from '../resources/agencias/agencia.ts'
import { DangerLink, Tick } from './fields.tsx'
import { isChecked } from './form.ts'

/** What an agency can allow an app beyond its own listings. */
const NAMES = ['editar', 'consultasDeCatalogo', 'consultasDeOtros'] as const satisfies (keyof Permisos)[]

/** What every associated app may do, whatever else it is allowed. */
const ALWAYS = ['data', 'package', 'listings', 'inquiries'] as const

export const AlwaysAllowed = ({ children }: { children?: ComponentChildren }) => (
  <ul class="checks">
    {ALWAYS.map((each) => (
      <li key={each}>{t(`comun.permission.always.${each}`)}</li>
    ))}
    {children}
  </ul>
)

/** `of` tells the boxes of one app from those of another on the same page. */
export const PermissionTicks = ({ permisos, of = '' }: { permisos?: Permisos | undefined; of?: string }) => (
  <>
    {NAMES.map((name) => (
      <Tick
        key={name}
        name={name}
        of={of}
        label={t(`comun.permission.${name}.label`)}
        hint={t(`comun.permission.${name}.hint`)}
        checked={permisos?.[name] ?? false}
      />
    ))}
  </>
)

export const PermissionList = ({ permisos }: { permisos: Permisos }) => (
  <>
    {NAMES.map((name) => (
      <li key={name} class={permisos[name] ? '' : 'not'}>
        {!permisos[name] && <span class="visually-hidden">{t('comun.permission.not')} </span>}
        {t(`comun.permission.${name}.label`)}
      </li>
    ))}
  </>
)

export const AssociationActs = ({ asociacion, path }: { asociacion: Asociacion; path: string }) => (
  <>
    <details>
      <summary>
        {t('comun.permission.change')}
        <span class="visually-hidden"> {asociacion.app.nombre}</span>
      </summary>
      <form method="post" action={path}>
        <PermissionTicks permisos={asociacion} of={`-${asociacion.app.appKey}`} />
        <button type="submit">{t('comun.permission.save')}</button>
      </form>
    </details>
    <p class="beside">
      <DangerLink
        href={`${path}/terminar`}
        label={t('comun.permission.end')}
        to={t('comun.permission.endWith', { app: asociacion.app.nombre })}
      />
    </p>
  </>
)

export const permissionsIn = (form: URLSearchParams): Permisos => ({
  editar: isChecked(form, 'editar'),
  consultasDeCatalogo: isChecked(form, 'consultasDeCatalogo'),
  consultasDeOtros: isChecked(form, 'consultasDeOtros'),
})
