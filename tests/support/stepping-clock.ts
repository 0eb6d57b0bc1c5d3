/** For `nowMs`: each call is a second, or `stepMs`, later, so that limits never apply. */
export function steppingClock(stepMs = 1000): () => number {
  let now = 0
  return () => (now += stepMs)
}
