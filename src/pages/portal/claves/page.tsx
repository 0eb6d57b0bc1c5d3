import type { ListedSecret } from '../../../apps/secrets.ts'
import { Moment } from '../../format.tsx'
import { Copyable } from '../../parts.tsx'
import { type Column, Table } from '../../table.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'

/** A secret with its last characters, which tell which one a server uses. */
type ShownSecret = ListedSecret & { ending: string | undefined }

interface Props {
  ctx: PortalContext
  secrets: ShownSecret[]
}

/** The keys of an app. A secret is shown once, when it is created. */
export function keysPage({ ctx, secrets }: Props) {
  const { app, basePath, rol } = ctx
  const live = secrets.filter(({ revocado }) => revocado === null)
  return (
    <PortalPage
      ctx={ctx}
      section="/claves"
      title="Claves"
      script
      lead={<p>Con ellas la app firma sus llamadas a la API. Quien las tenga puede actuar como la app.</p>}
      acts={
        rol === 'titular' && (
          <a class="button" href={`${basePath}/claves/rotar`}>
            Crear una clave nueva
          </a>
        )
      }
    >
      <section>
        <h2>AppKey</h2>
        <p>
          <Copyable id="app-key" what="el AppKey">
            {app.appKey}
          </Copyable>
        </p>
        <p class="hint">Nombra a la app y no cambia. No es un secreto, pero tampoco hace falta publicarlo.</p>
      </section>
      <section>
        <h2>AppSecret</h2>
        <Table
          caption="Las claves secretas de la app"
          columns={columns(ctx, live.length)}
          rows={secrets}
          keyOf={({ id }) => id}
          empty={<p>La app no tiene ninguna clave: no puede llamar. Cree una nueva.</p>}
        />
        <p class="hint">
          Pueden servir dos a la vez: cree la nueva, cámbiela en su sistema y revoque la anterior, sin un segundo de
          corte. <a href={`${basePath}/probar`}>Pruebe una llamada</a> o vea{' '}
          <a href="/docs/guia/firmar">cómo se firma</a>.
        </p>
        {rol !== 'titular' && (
          <p class="empty">
            Crear y revocar claves lo decide quien es titular de la app. <a href={`${basePath}/equipo`}>Ver quién es</a>
            .
          </p>
        )}
      </section>
    </PortalPage>
  )
}

function columns(ctx: PortalContext, live: number): Column<ShownSecret>[] {
  return [
    {
      head: 'Clave',
      cell: ({ id, ending }) => (ending ? <code>…{ending}</code> : <span>Nº {id}</span>),
    },
    { head: 'Creada', cell: ({ creado }) => <Moment at={creado} when={ctx} /> },
    {
      head: 'Estado',
      cell: ({ revocado }) =>
        revocado ? (
          <span>
            <span class="badge">revocada</span> <Moment at={revocado} when={ctx} />
          </span>
        ) : (
          <span class="badge status-2">vigente</span>
        ),
    },
    {
      head: 'Acción',
      cell: ({ id, revocado, ending }) => {
        if (revocado || ctx.rol !== 'titular') return null
        if (live === 1) return <span class="hint">Es la única</span>
        return (
          <a class="danger" href={`${ctx.basePath}/claves/${id}/revocar`}>
            Revocar<span class="visually-hidden"> la que termina en {ending}</span>
          </a>
        )
      },
    },
  ]
}

export const createdPage = ({ ctx, secret, former }: { ctx: PortalContext; secret: string; former: boolean }) => (
  <PortalPage
    ctx={ctx}
    section="/claves"
    title="Su clave nueva"
    script
    above={{ href: `${ctx.basePath}/claves`, label: 'Claves' }}
  >
    <div class="shown-once">
      <p>
        <strong>AppSecret</strong>
      </p>
      <p>
        <Copyable id="secreto" what="el AppSecret">
          {secret}
        </Copyable>
      </p>
      <p class="hint">Guárdelo ahora en un lugar seguro: no se vuelve a mostrar.</p>
    </div>
    <h2>Ahora</h2>
    <ol>
      <li>Póngalo en su sistema en lugar del anterior. Ya sirve.</li>
      {former && <li>Cuando todo use el nuevo, revoque el anterior en Claves. Hasta entonces sirven los dos.</li>}
    </ol>
    <p>
      <a class="button" href={`${ctx.basePath}/claves`}>
        Ya lo guardé
      </a>
    </p>
  </PortalPage>
)
