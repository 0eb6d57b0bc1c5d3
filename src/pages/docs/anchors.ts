import { fold } from '../../catalogue/text.ts'

export const operationAnchor = (operationId: string) => `operacion-${operationId}`
export const schemaAnchor = (name: string) => `esquema-${name}`
export const headerAnchor = (name: string) => `encabezado-${name}`
export const webhookAnchor = (topic: string) => `webhook-${topic}`

/** `Autenticación` has the id `tema-autenticacion`. */
export const tagAnchor = (tag: string) => `tema-${fold(tag).replace(/[^a-z0-9]+/g, '-')}`
