/** The result of an audit. */
export type Audit =
  | { kind: 'clean'; packages: number }
  | { kind: 'vulnerable'; found: string[] }
  /** The registry offers no audits or is out of reach: neither passed nor failed. */
  | { kind: 'not offered'; why: string }
  | { kind: 'unreadable'; why: string }

/** The parts of `npm audit --json` that we read (npm 7 and later). */
interface Printed {
  auditReportVersion?: number
  vulnerabilities?: Record<string, Vulnerability>
  metadata?: { vulnerabilities?: { total?: number }; dependencies?: { total?: number } }
  message?: string
  statusCode?: number
  error?: { code?: string; summary?: string }
}

interface Vulnerability {
  severity: string
  /** The advisories; a plain name is another package of the list that causes it. */
  via: (string | { title?: string; url?: string })[]
  nodes: string[]
}

/** Answers of a mirror that only serves packages. */
const NOT_OFFERED = [404, 405, 501]
const OUT_OF_REACH = /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)\b/

/** Reads the output. Clean means that packages were checked and nothing was found. */
export function readAudit(text: string): Audit {
  const printed = parse(text)
  if (!printed) return { kind: 'unreadable', why: text.trim().slice(0, 200) || 'npm printed nothing' }
  const { auditReportVersion, vulnerabilities = {}, metadata, message = '', statusCode, error } = printed
  const found = Object.entries(vulnerabilities).map(([name, each]) => describe(name, each))
  if (found.length > 0) return { kind: 'vulnerable', found }
  const packages = metadata?.dependencies?.total ?? 0
  if (auditReportVersion === 2 && metadata?.vulnerabilities?.total === 0 && packages > 0)
    return { kind: 'clean', packages }
  const why = message || error?.summary || error?.code || text.trim().slice(0, 200)
  const refused = statusCode !== undefined && NOT_OFFERED.includes(statusCode)
  return { kind: refused || OUT_OF_REACH.test(`${error?.code} ${why}`) ? 'not offered' : 'unreadable', why }
}

/** `minimist (critical) at node_modules/minimist: Prototype Pollution in minimist <https://…>` */
function describe(name: string, { severity, via, nodes }: Vulnerability): string {
  const reasons = via.map((each) => (typeof each === 'string' ? `by ${each}` : `${each.title} <${each.url}>`))
  return `${name} (${severity}) at ${nodes.join(', ')}: ${reasons.join('; ')}`
}

function parse(text: string): Printed | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
