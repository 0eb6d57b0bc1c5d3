import type { App } from '../../../apps/app.ts'

export const APPS = '/consola/apps'

export const appHref = ({ appKey }: Pick<App, 'appKey'>): string => `${APPS}/${appKey}`

/** A figure as people write it. */
export const figure = (value: number): string => value.toLocaleString('es-AR')

export const AppEstado = ({ disabled }: Pick<App, 'disabled'>) =>
  disabled ? <span class="badge status-5">deshabilitada</span> : <span class="badge status-2">habilitada</span>
