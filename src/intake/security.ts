/** What the routes of the marketplace's own site have in common in the document: their chapter and their credential. */
export const SITIO = { tags: ['Interno'], security: [{ SitioKey: [] }] }
