import type { TSchema } from 'typebox'

/** Our media types, in the order that settles ties (decisions, "Conventions"). */
export interface Media {
  entries: readonly string[]
  ref: string
}

export function mediaTypes(vendor: string): Media {
  return {
    entries: ['application/json', 'text/json', `application/vnd.${vendor}.entry+json`],
    ref: `application/vnd.${vendor}.ref+json`,
  }
}

/**
 * The whole `content` map of a success response. It is the one place that says what a route offers:
 * negotiation, serialisation and the OpenAPI document all read it from here.
 */
export function offers(media: Media, entry: TSchema, ref?: TSchema, others: Record<string, TSchema> = {}) {
  const content: Record<string, { schema: TSchema }> = {}
  for (const type of media.entries) content[type] = { schema: entry }
  if (ref) content[media.ref] = { schema: ref }
  for (const [type, schema] of Object.entries(others)) content[type] = { schema }
  return content
}
