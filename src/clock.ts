/** The current time, as a parameter: only main.ts and the command line read the clock, so tests need not wait. */
export type Clock = () => Date
