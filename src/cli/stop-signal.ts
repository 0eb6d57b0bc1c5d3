/** npm repeats the signal that the terminal has already sent: within this time it counts as one. */
const SAME_SIGNAL_MS = 500
const PARENT_POLL_MS = 1_000

/** Calls the handler on the first stop signal; a second one ends the process. */
export function onStopSignal(handler: (signal: NodeJS.Signals) => void): void {
  let requestedMs: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const onSignal = () => {
      const now = performance.now()
      if (requestedMs === undefined) {
        requestedMs = now
        handler(signal)
      } else if (now - requestedMs > SAME_SIGNAL_MS) {
        process.off(signal, onSignal)
        process.kill(process.pid, signal)
      }
    }
    process.on(signal, onSignal)
  }
}

/** Calls the handler when the parent process has exited, which shows as another parent id. */
export function onParentExit(handler: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    handler()
  }, PARENT_POLL_MS)
  timer.unref()
}
