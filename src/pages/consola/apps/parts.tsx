import type { App } from '../../../apps/app.ts'

export const APPS = '/consola/apps'

export const appHref = ({ appKey }: Pick<App, 'appKey'>): string => `${APPS}/${appKey}`

export const AppEstado = ({ disabled }: Pick<App, 'disabled'>) =>
  disabled ? <span class="badge status-5">deshabilitada</span> : <span class="badge status-2">habilitada</span>
