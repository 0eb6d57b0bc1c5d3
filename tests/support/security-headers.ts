import assert from 'node:assert/strict'
import type { Answer } from './caller.ts'

/** Inline scripts, except data that a browser does not run. */
const SCRIPT = /<script(?! type="application\/ld\+json">)(?![^>]* src="\/assets\/)|\sstyle="|\son\w+="|javascript:/i

const NEEDED: Record<string, RegExp> = {
  'content-security-policy': /^default-src 'none'; .*frame-ancestors 'none'/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^same-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\)/,
}

/** Fails where the answer of a page lacks a security header or has an inline script. */
export function assertSecure({ headers, text, status }: Answer, path: string): void {
  for (const [name, value] of Object.entries(NEEDED)) {
    // Other sites may show pictures.
    if (name === 'cross-origin-resource-policy' && headers['content-type']?.startsWith('image/')) continue
    assert.match(headers[name] ?? '', value, `${status} ${path} ${name}`)
  }
  const policy = headers['content-security-policy'] ?? ''
  assert.doesNotMatch(policy, /unsafe-(inline|eval)|\*/, path)
  if (!headers['content-type']?.startsWith('text/html')) return
  assert.doesNotMatch(text, SCRIPT, path)
}
