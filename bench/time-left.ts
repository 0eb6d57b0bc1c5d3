/** How far a run has come, for whoever waits for it. */
export interface Time {
  /** The next of them begins, and the one before has ended. */
  begin(name: string): void
  /** Since the beginning, and about how long it will still take. */
  shown(): string
  /** The seconds that each took. */
  taken(): Record<string, number>
}

interface Timed {
  name: string
  /** About how long it takes. */
  seconds: number
}

/** Goes by what each took in a former run, or else by what it says of itself. */
export function keepTime(all: readonly Timed[], former: Record<string, number>, now: () => number): Time {
  const began = now()
  const taken: Record<string, number> = {}
  const expected = new Map(all.map(({ name, seconds }) => [name, former[name] ?? seconds]))
  let current: { name: string; since: number } | undefined
  const finish = () => {
    if (current) taken[current.name] = Math.round(now() - current.since)
  }
  return {
    begin(name) {
      finish()
      if (current) expected.delete(current.name)
      current = { name, since: now() }
    },
    shown() {
      const ahead = [...expected.values()].reduce((sum, seconds) => sum + seconds, 0)
      const done = current ? Math.min(now() - current.since, expected.get(current.name) ?? 0) : 0
      return `[${clock(now() - began)}, ${clock(ahead - done)} left]`
    },
    taken() {
      finish()
      return taken
    },
  }
}

const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
