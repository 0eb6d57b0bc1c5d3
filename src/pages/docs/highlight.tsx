import type { ComponentChildren } from 'preact'
import type { Language } from './languages.ts'

const WORDS: Record<Language, string> = {
  curl: 'if then elif else fi for in do done while case esac local shift set exit break',
  typescript:
    'import from export const let function async await return if else for of while do try catch throw new class extends interface type constructor readonly super this as undefined null',
  python:
    'import from def class return if else for in while True False None try except raise with as global not and or lambda break',
  php: 'declare function final class extends public return if else elseif foreach for while do try catch throw new fn use require const null true false exit callable',
  csharp:
    'using var await async return if else foreach for in while do try catch when throw new public static readonly sealed record class object string int bool byte long const is not null params out true false',
}

const SLASHES = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`

/** What a comment and a text look like; the rest is words, or stays as it is. */
const FORMS: Record<Language, { comment: string; text: string }> = {
  curl: { comment: String.raw`(?<![^\s])#[^\n]*`, text: String.raw`"(?:[^"\\]|\\.)*"|'[^']*'` },
  typescript: { comment: SLASHES, text: `${QUOTED}|${String.raw`\x60(?:[^\x60\\]|\\.)*\x60`}` },
  python: { comment: String.raw`#[^\n]*`, text: String.raw`f?"""[\s\S]*?"""|[fb]?(?:${QUOTED})` },
  php: { comment: SLASHES, text: QUOTED },
  // What stands in the braces of an interpolated text may be quoted itself.
  csharp: { comment: SLASHES, text: String.raw`\$"(?:[^"\\{]|\\.|\{[^{}]*\})*"|${QUOTED}` },
}

const patterns = new Map<Language, RegExp>()

function patternOf(language: Language): RegExp {
  const known = patterns.get(language)
  if (known) return known
  const { comment, text } = FORMS[language]
  const word = String.raw`(?<![\w$.-])(?:${WORDS[language].replaceAll(' ', '|')})(?![\w-])`
  const made = new RegExp(`(?<comment>${comment})|(?<text>${text})|(?<word>${word})`, 'g')
  patterns.set(language, made)
  return made
}

/** A program with its comments, texts and words of the language in three colours: enough to find one's way. */
export function Highlighted({ program, language }: { program: string; language: Language }) {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const { 0: token, groups = {}, index } of program.matchAll(patternOf(language))) {
    const kind = groups.comment ? 'comment' : groups.text ? 'text' : 'word'
    parts.push(program.slice(end, index), <span class={kind}>{token}</span>)
    end = index + token.length
  }
  return <>{[...parts, program.slice(end)]}</>
}
