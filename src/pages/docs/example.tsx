import type { ComponentChildren } from 'preact'
import { t } from '../../i18n/messages.tsx'
import { itself, memoize } from '../../memoize.ts'
import { publicHref } from '../public-href.ts'
import { LinkList } from './contents.tsx'
import { exampleOf, fileNameOf, type Names, type Task } from './examples.ts'
import { LANGUAGES, languages, type SampleLanguage } from './languages.ts'

/** An example in the reader's language, with links to the others. */
export function Example({ task, language, names }: { task: Task; language: SampleLanguage; names: Names }) {
  const entry = `ejemplo-${task}`
  const file = fileNameOf(task, language)
  return (
    <figure class="code example" id={entry}>
      <figcaption>
        <LanguageLinks class="languages" language={language} anchor={entry} />
        <p>
          <code>{file}</code>
          <span>{t(`docs.requires.${language}`)}</span>
          <a
            href={publicHref(`/docs/ejemplos/${language}/${file}`)}
            download={file}
            aria-label={t('docs.example.downloadFile', { file })}
          >
            {t('docs.example.download')}
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

export const LanguageLinks = ({
  language,
  anchor,
  ...props
}: {
  language: SampleLanguage
  anchor: string
  class: string
}) => {
  const hrefOf = (each: SampleLanguage) => `?lenguaje=${each}#${anchor}`
  const links = languages.map((each) => [hrefOf(each), LANGUAGES[each]] as const)
  return <LinkList links={links} current={hrefOf(language)} aria-label={t('docs.example.languages')} {...props} />
}

const WORDS: Record<SampleLanguage, string> = {
  curl: 'if then elif else fi for in do done while case esac local shift set exit break',
  javascript:
    'import from export const let function async await return if else for of while do try catch throw new class extends constructor super this as undefined null',
  python:
    'import from def class return if else for in while True False None try except raise with as global not and or lambda break',
  php: 'declare function final class extends public return if else elseif foreach for while do try catch throw new fn use require const null true false exit callable',
  csharp:
    'using var await async return if else foreach for in while do try catch when throw new public static readonly sealed record class object string int bool byte long const is not null params out true false',
  java: 'import package public private static final class record extends implements new return if else for while do try catch throw throws var void int long boolean byte instanceof this super null true false',
  go: 'package import func var const type struct map range return if else for switch case defer nil true false any string int byte error',
}

const SLASHES = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`

const FORMS: Record<SampleLanguage, { comment: string; text: string }> = {
  curl: { comment: String.raw`(?<![^\s])#[^\n]*`, text: String.raw`"(?:[^"\\]|\\.)*"|'[^']*'` },
  javascript: { comment: SLASHES, text: `${QUOTED}|${String.raw`\x60(?:[^\x60\\]|\\.)*\x60`}` },
  python: { comment: String.raw`#[^\n]*`, text: String.raw`f?"""[\s\S]*?"""|[fb]?(?:${QUOTED})` },
  php: { comment: SLASHES, text: QUOTED },
  java: { comment: SLASHES, text: QUOTED },
  go: { comment: SLASHES, text: `${QUOTED}|${String.raw`\x60[^\x60]*\x60`}` },
  // An interpolation in a string may contain quotes.
  csharp: { comment: SLASHES, text: String.raw`\$"(?:[^"\\{]|\\.|\{[^{}]*\})*"|${QUOTED}` },
}

const patternOf = memoize((language: SampleLanguage) => {
  const { comment, text } = FORMS[language]
  const word = String.raw`(?<![\w$.-])(?:${WORDS[language].replaceAll(' ', '|')})(?![\w-])`
  return new RegExp(`(?<comment>${comment})|(?<text>${text})|(?<word>${word})`, 'g')
}, itself)

function Highlighted({ program, language }: { program: string; language: SampleLanguage }) {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const { 0: token, groups = {}, index } of program.matchAll(patternOf(language))) {
    const kind = groups.comment ? 'comment' : groups.text ? 'text' : 'word'
    parts.push(program.slice(end, index), <span class={kind}>{token}</span>)
    end = index + token.length
  }
  return <>{[...parts, program.slice(end)]}</>
}
