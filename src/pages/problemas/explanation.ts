import type { ComponentChildren } from 'preact'
import type { Problem } from '../../http/problems.ts'

/** What a partner's developer needs to know about a problem, in the order of the questions that come up. */
export interface Explanation {
  /** What happened, in a sentence or two. */
  what: ComponentChildren
  /** The usual causes. */
  why: ComponentChildren[]
  /** What helps. */
  remedy: ComponentChildren[]
  /** Whether sending the same request again may help. */
  retry: string
  /** One as the server sends it, and where. */
  example: Problem
  instance: string
}

/** Whether to send again what was refused for what it is. */
export const NEVER = 'No: la misma solicitud dará la misma respuesta.'
