import type { Schema } from '../../http/openapi/document.ts'
import { Anchored } from '../parts.tsx'
import { schemaAnchor } from './anchors.ts'
import { Fields, fieldsOf, TypeOf } from './fields.tsx'

/** Every named schema with its members. */
export function SchemasSection({ schemas }: { schemas: Record<string, Schema> }) {
  return (
    <section id="esquemas">
      <Anchored id="esquemas" level={2}>
        Esquemas
      </Anchored>
      <p>
        Las formas que se envían y se reciben. Un dato que puede faltar está marcado como <em>opcional</em>; uno que
        está pero puede venir vacío es <em>o null</em>. Pueden agregarse datos nuevos: un cliente ignora los que no
        conoce.
      </p>
      <div class="schemas">
        {Object.entries(schemas)
          .sort(([a], [b]) => a.localeCompare(b, 'es'))
          .map(([name, schema]) => (
            <article key={name} class="schema" id={schemaAnchor(name)}>
              <Anchored id={schemaAnchor(name)} level={3}>
                {name}
              </Anchored>
              {schema.description && <p>{schema.description}</p>}
              {schema.properties ? (
                <Fields of={fieldsOf(schema)} />
              ) : (
                <p class="type">
                  <TypeOf schema={schema} />
                </p>
              )}
            </article>
          ))}
      </div>
    </section>
  )
}
