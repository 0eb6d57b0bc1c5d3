/** For `nowMs`, where limits are other tests' business: to this clock every request comes a second, or `stepMs`, after the last. */
export function steppingClock(stepMs = 1000): () => number {
  let now = 0
  return () => (now += stepMs)
}
