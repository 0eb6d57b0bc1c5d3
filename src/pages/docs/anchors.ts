import { fold } from '../../catalogue/text.ts'

/** Where things stand on the page, so that every link to them is written the same way. */
export const operationAnchor = (operationId: string) => `operacion-${operationId}`
export const schemaAnchor = (name: string) => `esquema-${name}`
export const headerAnchor = (name: string) => `encabezado-${name}`
export const webhookAnchor = (topic: string) => `webhook-${topic}`

/** `Autenticación` stands at `tema-autenticacion`. */
export const tagAnchor = (tag: string) => `tema-${fold(tag).replace(/[^a-z0-9]+/g, '-')}`
