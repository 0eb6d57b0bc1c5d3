import { Layout } from '../layout.tsx'
import { Aside } from './aside.tsx'
import { GuideContents } from './guide/contents.tsx'
import { FIRST } from './languages.ts'
import type { Place } from './search.ts'

/** What was found in the documentation. */
export function searchPage(asked: string, found: Place[]) {
  const contents = (
    <Aside asked={asked}>
      <GuideContents language={FIRST} />
    </Aside>
  )
  return (
    <Layout title="Buscar" section="/docs/guia" aside={contents}>
      <header class="lead">
        <h1>Buscar en la documentación</h1>
        <p role="status">{summaryOf(asked, found.length)}</p>
      </header>
      <ul class="found">
        {found.map(({ href, title, kind }) => (
          <li key={href}>
            <a href={href}>{title}</a>
            <span>{kind}</span>
          </li>
        ))}
      </ul>
    </Layout>
  )
}

function summaryOf(asked: string, count: number): string {
  if (asked.trim() === '') return 'Escriba una palabra: el nombre de un dato, un estado, un topic, lo que quiera hacer.'
  if (count === 0) return `Nada dice «${asked}». Pruebe con menos palabras, o con el nombre de un dato.`
  return `${count === 1 ? 'Un lugar dice' : `${count} lugares dicen`} «${asked}».`
}
