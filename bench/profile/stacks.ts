import type { Profiler } from 'node:inspector'

/** A function with everything that it called: a box of the flame graph. */
export interface Frame {
  name: string
  /** `src/…`, `node:…` or a package's file; empty for what is built into V8 and Node, and for code made at run time. */
  file: string
  line: number
  /** Code that a library has made at run time: validators and serialisers from schemas. */
  made: boolean
  /** In microseconds, on its own and with what it called. */
  self: number
  total: number
  called: Frame[]
}

/**
 * Samples come every 200 µs. A longer gap is one in which the thread did not run, because others had the core; it is
 * nobody's time.
 */
const LONGEST_MICROS = 400
const IDLE = '(idle)'

/** The stacks of a profile, the same calls put together, without the time in which there was nothing to do. */
export function stacksOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Frame {
  const own = new Map<number, number>()
  samples.forEach((id, at) => {
    own.set(id, (own.get(id) ?? 0) + Math.min(Math.max(timeDeltas[at] ?? 0, 0), LONGEST_MICROS))
  })
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const root: Frame = { name: 'all', file: '', line: 0, made: false, self: 0, total: 0, called: [] }
  const pour = (into: Frame, ids: number[] = []): void => {
    for (const id of ids) {
      const node = byId.get(id)
      if (!node || node.callFrame.functionName === IDLE) continue
      const frame = calledFrom(into, node.callFrame)
      const before = frame.total
      frame.self += own.get(id) ?? 0
      frame.total += own.get(id) ?? 0
      pour(frame, node.children)
      into.total += frame.total - before
    }
  }
  pour(root, nodes[0]?.children)
  return root
}

function calledFrom(
  caller: Frame,
  { functionName, url, lineNumber, scriptId }: Profiler.ProfileNode['callFrame'],
): Frame {
  const [name, file, line] = [functionName || '(anonymous)', shortened(url), lineNumber + 1]
  const known = caller.called.find((each) => each.name === name && each.file === file && each.line === line)
  if (known) return known
  const frame = { name, file, line, made: url === '' && scriptId !== '0', self: 0, total: 0, called: [] }
  caller.called.push(frame)
  return frame
}

const shortened = (url: string) => url.replace(/^.*\/node_modules\//, '').replace(/^file:.*\/dist\//, 'src/')
