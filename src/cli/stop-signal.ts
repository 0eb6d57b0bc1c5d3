/** npm passes on what the terminal has sent already: what comes within a moment is the same wish. */
const SAME_WISH_MS = 500

/** Hears the first wish to end; a second one, from an impatient hand, ends the process as it would any other. */
export function onStopSignal(hear: (signal: NodeJS.Signals) => void): void {
  let askedMs: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const onSignal = () => {
      const now = performance.now()
      if (askedMs === undefined) {
        askedMs = now
        hear(signal)
      } else if (now - askedMs > SAME_WISH_MS) {
        process.off(signal, onSignal)
        process.kill(process.pid, signal)
      }
    }
    process.on(signal, onSignal)
  }
}
