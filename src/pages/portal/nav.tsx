import type { App } from '../../apps/app.ts'
import type { Nav } from '../app-shell.tsx'

/** The portal of one app, page by page. */
export function navOf({ appKey, nombre, modo, disabled }: App): Nav {
  const at = `/portal/${appKey}`
  return {
    title: nombre,
    cacheKey: `${appKey} ${modo} ${disabled} ${nombre}`,
    note: (
      <>
        <span class={modo === 'prueba' ? 'badge warning' : 'badge'}>{modo === 'prueba' ? 'prueba' : 'producción'}</span>
        {disabled && <span class="badge status-5">deshabilitada</span>}
      </>
    ),
    items: [
      { href: at, label: 'Resumen' },
      { href: `${at}/puesta-en-marcha`, label: 'Puesta en marcha' },
      { href: `${at}/claves`, label: 'Claves' },
      { href: `${at}/webhooks`, label: 'Webhooks' },
      { href: `${at}/entregas`, label: 'Entregas' },
      { href: `${at}/eventos`, label: 'Eventos' },
      { href: `${at}/probar`, label: 'Probar la API' },
      { href: `${at}/uso`, label: 'Uso y límites' },
      { href: `${at}/equipo`, label: 'Equipo' },
    ],
  }
}
