import type { App } from '../../../apps/app.ts'
import { DESCRIPTIONS, TOPICS } from '../../../webhooks/topics.ts'
import { Tick } from '../../fields.tsx'
import { ticked } from '../../form.ts'
import { appHref } from './list.tsx'

const ALL = 'todos'

/** The topics that the app may use. */
export const Topics = ({ app }: { app: App }) => (
  <section id="temas">
    <h2>Topics</h2>
    <p>
      {app.topics === null
        ? 'Puede usar todos, también los que vengan.'
        : `Puede usar ${app.topics.length} de ${TOPICS.length}.`}{' '}
      Lo que no puede usar no se le entrega, aunque tenga un webhook.
    </p>
    <details>
      <summary>Cambiar los topics</summary>
      <form method="post" action={`${appHref(app)}/temas`}>
        <Tick
          name={ALL}
          label="Todos"
          hint="También los que se agreguen más adelante. Lo que se marque abajo no cuenta."
          checked={app.topics === null}
        />
        {TOPICS.map((topic) => (
          <Tick
            key={topic}
            name={topic}
            label={topic}
            hint={DESCRIPTIONS[topic]}
            checked={app.topics?.includes(topic) ?? false}
          />
        ))}
        <button type="submit">Guardar los topics</button>
      </form>
    </details>
  </section>
)

/** The topics that a form says; null: all of them. */
export const topicsIn = (form: URLSearchParams): string[] | null =>
  ticked(form, ALL) ? null : TOPICS.filter((topic) => ticked(form, topic))
