#!/usr/bin/env -S node --max-semi-space-size=32 --no-parallel-scavenge --heap-growing-percent=100
// The flags: most of what a request or a delivery makes is of no use a moment later, and dies unseen in a larger nursery.
// What outlives it is little, and one thread has moved it before several have agreed on who moves what. A heap that hardly
// grows is given little room to grow, and bytes outside of it count: answers that wait for the nursery to be emptied had
// everything collected once a second. It may be twice as large as what lives in it before that.
import { existsSync } from 'node:fs'

const built = new URL('../dist/cli/main.js', import.meta.url)
if (!existsSync(built)) {
  process.stderr.write('rodado is not built yet. Run `npm run build` in its folder and try again.\n')
  process.exit(1)
}
await import(built.href)
