// Made once: each costs as much as many numbers.
const FIGURES = new Intl.NumberFormat('es-AR')
const COMPACT = new Intl.NumberFormat('es-AR', { notation: 'compact' })
const TENTHS = new Intl.NumberFormat('es-AR', { maximumFractionDigits: 1 })
const PERCENT = new Intl.NumberFormat('es-AR', { style: 'percent', maximumFractionDigits: 1 })

/** A number as people here write it. Most of those on a page are small, and have no point to set. */
export const inFigures = (value: number): string =>
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : FIGURES.format(value)

/** The same where there is little room: 12 mil. */
export const inShort = (value: number): string => (value >= 10_000 ? COMPACT.format(value) : inFigures(value))

/** To the tenth: 1,3. */
export const inTenths = (value: number): string => TENTHS.format(value)

/** A part of a whole; nothing of nothing is said with a dash. */
export const inPercent = (part: number, whole: number): string => (whole === 0 ? '–' : PERCENT.format(part / whole))

/** A duration: 320 ms, 1,3 s. */
export const formatDuration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${inTenths(ms / 1000)} s`)
