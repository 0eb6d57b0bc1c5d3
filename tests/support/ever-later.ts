/** For `nowMs`, where limits are other tests' business: to this clock every request comes a second after the last. */
export function everLater(): () => number {
  let now = 0
  return () => (now += 1000)
}
