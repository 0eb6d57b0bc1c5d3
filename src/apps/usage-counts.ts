/** What an app may have done at least once: what its way to production is judged by. */
const HECHOS = [
  'firma',
  'token',
  'condicional',
  'bestmatch',
  'invitacion',
  'agencia',
  'publicacion',
  'consulta',
  'estado',
  'eventos',
  'entrega',
  'reintento',
] as const

export type Milestone = (typeof HECHOS)[number]

/** Each of them is a bit, so that to know it already costs a comparison. */
export const bitOf = (hecho: Milestone): number => 1 << HECHOS.indexOf(hecho)

export const milestonesIn = (bits: number): Milestone[] => HECHOS.filter((_, at) => bits & (1 << at))

/** The columns of `app_usage`. */
export const COUNTS = [
  'solicitudes',
  'sin_cambios',
  'errores',
  'limitadas',
  'fallas',
  'entregadas',
  'intentos_fallidos',
  'abandonadas',
] as const

export type Counts = Record<(typeof COUNTS)[number], number>

/** How often an agency's data and inquiries were read. */
export interface Reads {
  datos: number
  consultas: number
}

/** What one app did since the last time it was written down: numbers that are added to, and nothing is made for it. */
export class UsageCounts implements Counts {
  solicitudes = 0
  sin_cambios = 0
  errores = 0
  limitadas = 0
  fallas = 0
  entregadas = 0
  intentos_fallidos = 0
  abandonadas = 0
  /** What it was seen doing, and what of that is written down. */
  did = 0
  told = 0
  /** By the administrator's mail, as it was asked for. */
  readonly reads = new Map<string, Reads>()

  answered(status: number): void {
    this.solicitudes++
    if (status < 400) {
      if (status === 304) this.sin_cambios++
    } else if (status >= 500) this.fallas++
    else if (status === 429) this.limitadas++
    else this.errores++
  }

  read(adminMail: string, what: keyof Reads): void {
    let reads = this.reads.get(adminMail)
    if (!reads) {
      reads = { datos: 0, consultas: 0 }
      this.reads.set(adminMail, reads)
    }
    reads[what]++
  }

  counts(): Counts {
    const { solicitudes, sin_cambios, errores, limitadas, fallas, entregadas, intentos_fallidos, abandonadas } = this
    return { solicitudes, sin_cambios, errores, limitadas, fallas, entregadas, intentos_fallidos, abandonadas }
  }

  /** Takes off what has been written down; what came meanwhile stays. */
  settle(counts: Counts): void {
    for (const name of COUNTS) this[name] -= counts[name]
  }
}
