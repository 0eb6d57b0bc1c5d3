/** npm passes on what the terminal has sent already: what comes within a moment is the same wish. */
const SAME_WISH_MS = 500
const PARENT_POLL_MS = 1_000

/** Hears the first wish to end; a second one, from an impatient hand, ends the process as it would any other. */
export function onStopSignal(hear: (signal: NodeJS.Signals) => void): void {
  let requestedMs: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const onSignal = () => {
      const now = performance.now()
      if (requestedMs === undefined) {
        requestedMs = now
        hear(signal)
      } else if (now - requestedMs > SAME_WISH_MS) {
        process.off(signal, onSignal)
        process.kill(process.pid, signal)
      }
    }
    process.on(signal, onSignal)
  }
}

/** Reports once that the process that started us has ended: no signal says so, but we then have another parent. */
export function onParentExit(hear: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    hear()
  }, PARENT_POLL_MS)
  timer.unref()
}
