import type { ComponentChildren } from 'preact'
import { PROBLEMS } from '../../http/problems.ts'
import { Layout } from '../layout.tsx'
import { Status } from '../parts.tsx'

/** Every kind of problem, by status. */
export function problemsPage() {
  return (
    <Layout title="Problemas" section="/problemas" description="Qué significa cada rechazo de la API y qué hacer.">
      <header class="lead">
        <h1>Problemas</h1>
        <p>
          Cuando la API rechaza una solicitud responde con un cuerpo <code>application/problem+json</code>. Su{' '}
          <code>Type</code> es la dirección de una de estas páginas: sirve para que un programa distinga el caso y para
          que una persona sepa qué hacer.
        </p>
      </header>
      <ProblemList />
      <section>
        <h2>Cómo leer un problema</h2>
        <ul>
          <li>
            <code>Type</code> no cambia nunca: decida por él, o por <code>Status</code>, no por los textos.
          </li>
          <li>
            <code>Title</code> y <code>Detail</code> están escritos para personas y pueden mejorar.
          </li>
          <li>
            <code>Errors</code>, cuando está, dice qué corregir, por propiedad. <code>Extensions</code> trae lo que un
            programa puede usar.
          </li>
        </ul>
      </section>
    </Layout>
  )
}

/** For an address under /problemas that names none: what there is instead. */
export function unknownProblemPage(name: string) {
  return (
    <Layout title="No existe ese problema" section="/problemas">
      <header class="lead">
        <h1>No existe ese problema</h1>
        <p>
          Ningún problema se llama <code>{name}</code>. Quizá la dirección se copió incompleta: el nombre es la última
          parte de <code>Type</code>. Estos son todos:
        </p>
      </header>
      <ProblemList />
    </Layout>
  )
}

const ProblemList = () => (
  <ul class="problem-list">
    {Object.entries(PROBLEMS).map(
      ([name, { status, title }]): ComponentChildren => (
        <li key={name}>
          <Status code={status} />
          <a href={`/problemas/${name}`}>{title}</a>
          <code>{name}</code>
        </li>
      ),
    )}
  </ul>
)
