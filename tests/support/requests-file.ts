/** The variable with the file to which each server appends its number of requests when it stops (drills/test-suite.ts). */
export const REQUESTS_FILE = 'RODADO_REQUESTS_FILE'
