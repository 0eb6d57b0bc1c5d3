/** The variable that names a file to which each server adds, when it stops, how often it was asked (drills/test-suite.ts). */
export const REQUESTS_FILE = 'RODADO_REQUESTS_FILE'
