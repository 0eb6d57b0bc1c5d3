import type { Marks } from './traces.ts'

/** What passed that is secret, and what is somebody's, under the names by which failures tell of them. */
export interface Told {
  secrets: Marks
  /** One-time tokens: secret too, but their letters are there to tell them. */
  tokens: Marks
  persons: Marks
}

const SHORTEST_SECRET = 8
const SHORTEST_NAME = 3
const SECRET_NAMES = /^(clave\w*|repetida|secret|client_secret|appsecret|sitiokey|access_token)$/i
const PERSONAL_NAMES = /^(email|adminmail|adminnombre|adminapellido|apellido|docidentidad|comentario|mensaje)$/i
const OF_THE_INTERESTED = /^(Nombre|Apellido|Email|Telefono|DocIdentidad|Comentario)$/
/** Tokens and keys have their own forms, wherever they are shown. */
const SHOWN = /sitio_[\w-]{43}|eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{40,}|whsec_[A-Za-z0-9+/]{20,}/g
const ONE_TIME = /(?<=\/(?:registro|clave|colaborar|equipo|personal|baja)\/)[\w-]{43,}/g
const SESSION = /(?<=rodado_(?:session|device)=)[\w-]{20,}/g

export const newTold = (): Told => ({ secrets: {}, tokens: {}, persons: {} })

const add = (marks: Marks, name: string, value: unknown, shortest: number) => {
  if (typeof value === 'string' && value.trim().length >= shortest && !/^\*+/.test(value))
    marks[`${name}: ${value}`] = value
}
/** A person's name, mail, telephone or words. */
export const noteOf = (told: Told, name: string, value: unknown) => add(told.persons, name, value, SHORTEST_NAME)
export const noteSecret = (told: Told, name: string, value: unknown) => add(told.secrets, name, value, SHORTEST_SECRET)

/** What a member or a field of a form gives away, by its name. */
export function noteMember(told: Told, name: string, value: unknown, isInterested = false): void {
  if (Array.isArray(value)) for (const each of value) noteMember(told, name, each, isInterested)
  else if (value !== null && typeof value === 'object')
    for (const [inner, each] of Object.entries(value)) {
      if (inner === 'Value' && name.startsWith('HeaderCustom')) noteSecret(told, name, each)
      noteMember(told, inner, each, isInterested || name === 'Interesado')
    }
  else if (SECRET_NAMES.test(name)) noteSecret(told, name, value)
  else if (PERSONAL_NAMES.test(name) || (isInterested && OF_THE_INTERESTED.test(name))) noteOf(told, name, value)
}

/** What a text gives away by its form: headers, pages, letters. */
export function noteText(told: Told, text: string): void {
  for (const [value] of text.matchAll(SHOWN)) noteSecret(told, 'shown', value)
  for (const [value] of text.matchAll(ONE_TIME)) add(told.tokens, 'token', value, SHORTEST_SECRET)
  for (const [value] of text.matchAll(SESSION)) noteSecret(told, 'session', value)
}

/** What was about to be sealed, or was opened: the house itself says that it is secret. */
export function noteSealed(told: Told, text: string, purpose: string): void {
  const value = readJson(text)
  if (value === undefined) {
    if (text.includes('@')) noteOf(told, `sealed ${purpose}`, text)
    else noteSecret(told, `sealed ${purpose}`, text)
  } else if (Array.isArray(value))
    for (const each of value) noteSecret(told, `sealed ${purpose}`, each?.value ?? each?.Value)
  else if ('d' in value) noteSecret(told, `sealed ${purpose}`, value.d)
  noteText(told, text)
}

/** An object or a list; undefined for any other text. */
// biome-ignore lint/suspicious/noExplicitAny: whatever was said is looked into
export function readJson(text: string): any {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
