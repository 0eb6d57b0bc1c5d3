import { readFileSync } from 'node:fs'
import { itself, memoize } from '../../memoize.ts'
import type { SampleLanguage } from './languages.ts'

/** The example programs; most of them use `rodado`, the client. */
export const TASKS = [
  'rodado',
  'firmar',
  'con-token',
  'ensayar',
  'traducir',
  'invitar',
  'suscribir',
  'probar',
  'verificar',
  'notificacion',
  'reenviar',
  'eventos',
  'publicar',
  'consultas',
  'reintentar',
] as const
export type Task = (typeof TASKS)[number]

/** The names that an installation uses in its examples. */
export interface Names {
  publicUrl: string
  signaturePrefix: string
}

const className = (task: Task) => task.replace(/(?:^|-)(\w)/g, (_, initial: string) => initial.toUpperCase())

const FILE_NAMES: Record<SampleLanguage, (task: Task) => string> = {
  curl: (task) => `${task}.sh`,
  javascript: (task) => `${task}.mjs`,
  python: (task) => `${task.replace('-', '_')}.py`, // module names have no hyphen
  php: (task) => `${task}.php`,
  java: (task) => `${className(task)}.java`,
  csharp: (task) => `${className(task)}.cs`,
  go: (task) => `${task}.go`,
}

export const fileNameOf = (task: Task, language: SampleLanguage): string => FILE_NAMES[language](task)

const read = memoize((path: string) => readFileSync(new URL(`./examples/${path}`, import.meta.url), 'utf8'), itself)

/** The source of an example with this installation's names. It is a file, so that tests run what readers see. */
export const exampleOf = (task: Task, language: SampleLanguage, { publicUrl, signaturePrefix }: Names): string =>
  read(`${language}/${fileNameOf(task, language)}`)
    .replaceAll('http://127.0.0.1:3000', publicUrl)
    .replaceAll('x-svc-', `x-${signaturePrefix.toLowerCase()}-`)
    .replaceAll('X-SVC-', `X-${signaturePrefix}-`)
    .replaceAll('SVC-HMAC', `${signaturePrefix}-HMAC`)

export const taskOf = (language: SampleLanguage, fileName: string): Task | undefined =>
  TASKS.find((task) => fileNameOf(task, language) === fileName)
