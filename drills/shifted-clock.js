// Loaded before a process of the house (node --import): its clock is the machine's, moved by what its parent says. As when
// a machine's time is set, timers and performance.now() go on as before, and PostgreSQL's clock is another one.
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
