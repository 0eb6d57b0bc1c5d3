import sql, { join, raw, type Sql } from 'sql-template-tag'

/** A topic may have so many webhooks (docs/decisions/webhooks.md). */
export const MAX_DESTINOS = 5
/** The one of the specification's own routes. */
export const FIRST_DESTINO = 1

/** A webhook's path below those of its app, in the API and in the portal. */
export const webhookSubpath = ({ topic, destino }: { topic: string; destino: number }): string =>
  destino === FIRST_DESTINO ? topic : `${topic}/destinos/${destino}`

/*
 * The delivery of an event to the first webhook of its topic has the event's id, one to a further webhook also its number:
 * `01JNG3Y4Z5A6B7C8D9E0F1G2H3-2`. So they sort by time, and fall into the same partition.
 */
const EVENT_ID_CHARACTERS = 26

const suffixOf = (destino: number): string => (destino === FIRST_DESTINO ? '' : `-${destino}`)

export const deliveryIdOf = (eventId: string, destino: number): string => eventId + suffixOf(destino)

export const eventIdOf = (deliveryId: string): string => deliveryId.slice(0, EVENT_ID_CHARACTERS)

export const destinoOf = (deliveryId: string): number =>
  Number(deliveryId.slice(EVENT_ID_CHARACTERS + 1)) || FIRST_DESTINO

/** The event's id in a delivery's. */
export const eventIdSql = (deliveryId: Sql): Sql => sql`left(${deliveryId}, ${raw(String(EVENT_ID_CHARACTERS))})`

/** The id of an event's delivery to one destination, a number of ours. */
export const deliveryIdSql = (eventId: Sql, destino: number): Sql =>
  destino === FIRST_DESTINO ? eventId : sql`${eventId} || ${raw(`'${suffixOf(destino)}'`)}`

/** The numbers that webhooks of a topic may have. */
export const DESTINOS = Array.from({ length: MAX_DESTINOS }, (_, at) => at + 1)

/** The ids that deliveries of these events may have. */
export const deliveryIdsOf = (eventIds: readonly string[]): string[] =>
  eventIds.flatMap((id) => DESTINOS.map((destino) => deliveryIdOf(id, destino)))

/** The ids that deliveries of one event may have, in SQL. */
export const deliveryIdsSql = (eventId: Sql): Sql =>
  sql`array[${join(DESTINOS.map((destino) => deliveryIdSql(eventId, destino)))}]`

/** Whether a delivery's id is one of the destination. */
export const isOfDestino = (deliveryId: Sql, destino: number): Sql =>
  sql`substr(${deliveryId}, ${raw(String(EVENT_ID_CHARACTERS + 1))}) = ${raw(`'${suffixOf(destino)}'`)}`
