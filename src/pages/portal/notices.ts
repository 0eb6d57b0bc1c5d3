/** What was just done in the portal. */
export const PORTAL_NOTICES = {} as const
