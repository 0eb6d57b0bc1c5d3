import type { Marks } from './traces.ts'

/** Secrets and personal data that passed the server, by the name that failures report. */
interface Sensitive {
  secrets: Marks
  /** One-time tokens: secret too, but emails contain them. */
  tokens: Marks
  persons: Marks
}

const MIN_SECRET_LENGTH = 8
const MIN_NAME_LENGTH = 3
const SECRET_NAMES = /^(clave\w*|repetida|secret(estandar)?|client_secret|appsecret|sitiokey|access_token)$/i
const PERSONAL_NAMES = /^(email|adminmail|adminnombre|adminapellido|apellido|docidentidad|comentario|mensaje)$/i
const PERSONAL_OF_INTERESADO = /^(Nombre|Apellido|Email|Telefono|DocIdentidad|Comentario)$/
/** Tokens and keys are recognised by their format. */
const SHOWN = /sitio_[\w-]{43}|eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{40,}|whsec_[A-Za-z0-9+/]{20,}/g
const ONE_TIME = /(?<=\/(?:registro|clave|colaborar|equipo|personal|baja)\/)[\w-]{43,}/g
const SESSION = /(?<=rodado_(?:session|device)=)[\w-]{20,}/g

export const createSensitive = (): Sensitive => ({ secrets: {}, tokens: {}, persons: {} })

const add = (marks: Marks, name: string, value: unknown, shortest: number) => {
  if (typeof value === 'string' && value.trim().length >= shortest && !/^\*+/.test(value))
    marks[`${name}: ${value}`] = value
}
/** A person's name, address, telephone or text. */
export const addPersonal = (sensitive: Sensitive, name: string, value: unknown) =>
  add(sensitive.persons, name, value, MIN_NAME_LENGTH)
export const addSecret = (sensitive: Sensitive, name: string, value: unknown) =>
  add(sensitive.secrets, name, value, MIN_SECRET_LENGTH)

/** Classifies a JSON member or form field by its name. */
export function addMember(sensitive: Sensitive, name: string, value: unknown, isInterested = false): void {
  if (Array.isArray(value)) for (const each of value) addMember(sensitive, name, each, isInterested)
  else if (value !== null && typeof value === 'object')
    for (const [inner, each] of Object.entries(value)) {
      if (inner === 'Value' && name.startsWith('HeaderCustom')) addSecret(sensitive, name, each)
      addMember(sensitive, inner, each, isInterested || name === 'Interesado')
    }
  else if (SECRET_NAMES.test(name)) addSecret(sensitive, name, value)
  else if (PERSONAL_NAMES.test(name) || (isInterested && PERSONAL_OF_INTERESADO.test(name)))
    addPersonal(sensitive, name, value)
}

/** Finds secrets in a text by their format: headers, pages, emails. */
export function addText(sensitive: Sensitive, text: string): void {
  for (const [value] of text.matchAll(SHOWN)) addSecret(sensitive, 'shown', value)
  for (const [value] of text.matchAll(ONE_TIME)) add(sensitive.tokens, 'token', value, MIN_SECRET_LENGTH)
  for (const [value] of text.matchAll(SESSION)) addSecret(sensitive, 'session', value)
}

/** Everything that is sealed or opened is a secret. */
export function addSealed(sensitive: Sensitive, text: string, purpose: string): void {
  const value = readJson(text)
  if (value === undefined) {
    if (text.includes('@')) addPersonal(sensitive, `sealed ${purpose}`, text)
    else addSecret(sensitive, `sealed ${purpose}`, text)
  } else if (Array.isArray(value))
    for (const each of value) addSecret(sensitive, `sealed ${purpose}`, each?.value ?? each?.Value)
  else if ('d' in value) addSecret(sensitive, `sealed ${purpose}`, value.d)
  addText(sensitive, text)
}

/** An object or a list; undefined for any other text. */
// biome-ignore lint/suspicious/noExplicitAny: any JSON is searched
export function readJson(text: string): any {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
