/** The result of one check. A warning needs attention soon; an error stops something from working. */
export interface Finding {
  status: 'ok' | 'warning' | 'error'
  detail: string
  /** What to do. */
  remedy?: string
}

export const fine = (detail: string): Finding => ({ status: 'ok', detail })
export const warning = (detail: string, remedy: string): Finding => ({ status: 'warning', detail, remedy })
export const wrong = (detail: string, remedy: string): Finding => ({ status: 'error', detail, remedy })

/** Checks by their names. One that throws is an error whose message says what to do. */
export type Checks<Subject> = Record<string, (subject: Subject) => Promise<Finding>>
