import { Layout } from '../layout.tsx'
import { Aside } from './aside.tsx'
import { GuideContents } from './guide/contents.tsx'
import { DEFAULT_LANGUAGE, LANGUAGES, languages } from './languages.ts'

/** The 404 page of the documentation. */
export function notFoundPage(title: string) {
  const contents = (
    <Aside>
      <GuideContents language={DEFAULT_LANGUAGE} />
    </Aside>
  )
  return (
    <Layout title={title} section="/docs/guia" aside={contents}>
      <header class="lead">
        <h1>{title}</h1>
        <p>La dirección que pidió no lleva a nada. Elija un capítulo del contenido, o busque.</p>
      </header>
      <p>Los ejemplos están en:</p>
      <ul>
        {languages.map((each) => (
          <li key={each}>
            <a href={`/docs/guia?lenguaje=${each}`}>{LANGUAGES[each].title}</a>
          </li>
        ))}
      </ul>
    </Layout>
  )
}
