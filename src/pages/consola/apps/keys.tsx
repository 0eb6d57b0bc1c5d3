import type { App } from '../../../apps/app.ts'
import { type ListedSecret, listSecrets, revokeSecret, rotateSecretOnce } from '../../../apps/secrets.ts'
import { conflict, notFound } from '../../../http/problems.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { DangerLink, Tick } from '../../fields.tsx'
import { CONFIRMATION, formOf, line, ticked } from '../../form.ts'
import { Moment, type When } from '../../format.tsx'
import { page } from '../../page.ts'
import { Section } from '../../parts.tsx'
import { allowScript } from '../../security.ts'
import type { PageDeps } from '../../signed-in.ts'
import { type Column, Table } from '../../table.tsx'
import { CONSOLE, type ConsolePages } from '../context.tsx'
import { APPS, appAt, appHref, type ByAppKey } from './list.tsx'
import { secretPage } from './new.tsx'

/** /consola/apps/{AppKey}/claves: a secret more, or one less. */
export function appKeysRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps

  app.post<ByAppKey>('/apps/:appKey/claves', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const found = await appAt(deps, request.params.appKey)
    const form = formOf(request)
    const revokes = ticked(form, 'revocar')
    const newest = Number(line(form, 'vigente') || -1)
    const secret = await rotateSecretOnce(store, seal, found.id, newest, revokes)
    if (secret === undefined) throw conflict({ _: [ROTATED] }, ROTATED)
    await ctx.audit('app.clave-nueva', found.appKey, { revocaLasAnteriores: revokes })
    const { publicUrl } = config
    return page(allowScript(reply), secretPage({ ctx, app: found, secret, made: false, publicUrl }), 201)
  })

  serveConfirmation(app, '/apps/:appKey/claves/:id/revocar', {
    audience: CONSOLE,
    section: APPS,
    load: async ({ appKey, id }: { appKey: string; id: string }) => {
      const found = await appAt(deps, appKey)
      const secret = liveOf(await listSecrets(store, found.id)).find((each) => String(each.id) === id)
      if (!secret) throw notFound(NO_SUCH)
      return { app: found, secret }
    },
    above: ({ app: { appKey, nombre } }) => ({ href: appHref({ appKey }), label: nombre }),
    question: ({ app: { nombre }, secret }) => ({
      title: `¿Revocar la clave Nº ${secret.id}?`,
      button: 'Sí, revocar',
      consequences: [
        'En un segundo se rechaza lo que venga firmado con ella, y los tokens que se pidieron con ella.',
        `Si ${nombre} todavía la usa, deja de funcionar hasta que cambie a la otra.`,
        'No se puede deshacer.',
      ],
    }),
    act: async ({ app: { id, appKey }, secret }, ctx) => {
      const outcome = await revokeSecret(store, id, secret.id)
      if (outcome === 'gone') throw notFound(NO_SUCH)
      if (outcome === 'last') throw conflict({ _: [LAST] }, LAST)
      await ctx.audit('app.clave-revocada', appKey, { clave: secret.id })
    },
    notice: 'app-clave-revocada',
    next: ({ app: { appKey } }) => `${appHref({ appKey })}#claves`,
  })
}

const NO_SUCH = 'La app no tiene una clave vigente así.'
const ROTATED = 'La clave ya se cambió desde que abrió esa página: en la de la app ve las que sirven ahora.'
const LAST = 'Es la única clave de la app. Cree otra primero, o deshabilite la app.'

/** The secrets of an app, and the form that creates another. */
export const Keys = ({ app, secrets, when }: { app: App; secrets: ListedSecret[]; when: When }) => (
  <Section id="claves" title="Claves">
    <Table
      caption="Claves de la app"
      columns={columns(app, secrets, when)}
      rows={secrets}
      empty={<p>La app no tiene claves. Cree una para que pueda llamar.</p>}
    />
    <details>
      <summary>Crear una clave nueva</summary>
      <form method="post" action={`${appHref(app)}/claves`}>
        <input type="hidden" name="vigente" value={newestOf(secrets)} />
        <Tick
          name="revocar"
          label="Revocar ya las anteriores"
          hint="Solo si se filtraron: la app deja de funcionar hasta que use la nueva. Sin marcar, la última sigue sirviendo mientras el asociado cambia."
          checked={false}
        />
        <button type="submit">Crear y ver la clave</button>
      </form>
    </details>
  </Section>
)

const liveOf = (secrets: ListedSecret[]) => secrets.filter(({ revocado }) => revocado === null)

/** The one that the form was made beside: sent again, it would take that one's place too. */
const newestOf = (secrets: ListedSecret[]): number => Math.max(0, ...liveOf(secrets).map(({ id }) => id))

const columns = (app: App, secrets: ListedSecret[], when: When): Column<ListedSecret>[] => [
  { head: 'Clave', cell: ({ id }) => <strong>Nº {id}</strong> },
  { head: 'Creada', cell: ({ creado }) => <Moment at={creado} when={when} /> },
  {
    head: 'Estado',
    cell: ({ revocado }) =>
      revocado ? (
        <span>
          <span class="badge status-5">revocada</span> <Moment at={revocado} when={when} />
        </span>
      ) : (
        <span class="badge status-2">vigente</span>
      ),
  },
  {
    head: 'Acción',
    cell: ({ id, revocado }) =>
      revocado === null &&
      liveOf(secrets).length > 1 && (
        <DangerLink href={`${appHref(app)}/claves/${id}/revocar`} label="Revocar" to={`la clave Nº ${id}`} />
      ),
  },
]
