/** The time, as a parameter: the house never reads the machine's clock itself, so its tests need no patience. */
export type Clock = () => Date
