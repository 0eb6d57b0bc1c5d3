/**
 * Aborts with the signal, or after the time. Node 20 forgets a timeout that only AbortSignal.any refers to, unless it has a
 * listener.
 */
export function withTimeLimit(signal: AbortSignal, ms: number): AbortSignal {
  const timeout = AbortSignal.timeout(ms)
  timeout.addEventListener('abort', () => undefined)
  return AbortSignal.any([signal, timeout])
}
