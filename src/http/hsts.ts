/** `Strict-Transport-Security` (RFC 6797), where people and partners reach this server by https; else nothing. */
export const hstsOf = (publicUrl: string): Record<string, string> =>
  publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}
