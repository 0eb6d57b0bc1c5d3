// Preloaded with `node --import`: shifts Date by what the parent process says. Timers, performance.now() and PostgreSQL's clock
// are not affected, as when a machine's time is set.
const RealDate = Date
let movedMs = 0

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + movedMs)
    else super(...args)
  }

  static now() {
    return RealDate.now() + movedMs
  }
}

process.on('message', (ms) => {
  movedMs = Number(ms)
  process.send?.(movedMs)
})
process.channel?.unref()
