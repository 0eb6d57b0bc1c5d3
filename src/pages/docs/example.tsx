import { exampleOf, fileNameOf, type Names, type Task } from './examples.ts'
import { Highlighted } from './highlight.tsx'
import { LANGUAGES, type Language, languages } from './languages.ts'

interface ExampleProps {
  task: Task
  language: Language
  names: Names
}

/** A program in the reader's language; the others are a link away, which comes back to this place. */
export function Example({ task, language, names }: ExampleProps) {
  const place = `ejemplo-${task}`
  const file = fileNameOf(task, language)
  return (
    <figure class="code example" id={place}>
      <figcaption>
        <ul class="languages" aria-label="Lenguaje del ejemplo">
          {languages.map((each) => (
            <li key={each}>
              <a href={`?lenguaje=${each}#${place}`} aria-current={each === language ? 'true' : undefined}>
                {LANGUAGES[each].title}
              </a>
            </li>
          ))}
        </ul>
        <p>
          <code>{file}</code>
          <span>{LANGUAGES[language].deps}</span>
          <a href={`/docs/ejemplos/${language}/${file}`} download={file} aria-label={`Descargar ${file}`}>
            Descargar
          </a>
        </p>
      </figcaption>
      <pre tabindex={0}>
        <code>
          <Highlighted program={exampleOf(task, language, names).trimEnd()} language={language} />
        </code>
      </pre>
    </figure>
  )
}
