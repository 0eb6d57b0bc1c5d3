import type { Client } from '@rodado/client'
import * as z from 'zod'

/** A tool: its form for the model, and what it does. Tools that change something are offered only on request. */
export interface Tool {
  name: string
  title: string
  description: string
  input: z.ZodObject
  changes: 'nothing' | 'adds' | 'replaces'
  run(client: Client, args: unknown): Promise<object>
}

/** A tool whose arguments have the type of its input. */
export function defineTool<Shape extends z.ZodRawShape>(
  name: string,
  about: { title: string; description: string; input: Shape; changes?: Tool['changes'] },
  run: (client: Client, args: z.infer<z.ZodObject<Shape>>) => Promise<object>,
): Tool {
  const { title, description, changes = 'nothing' } = about
  const input = z.strictObject(about.input) as z.ZodObject
  return { name, title, description, input, changes, run: run as Tool['run'] }
}

export const ADMIN_MAIL = z.string().min(3).max(254).describe('The agency’s AdminMail, as search_agencias gives it')
export const SID = z.string().min(20).max(30).describe('The inquiry: the last part of its link')
export const EXTERNAL_ID = z.string().min(2).max(255).describe('The listing’s ExternalId')
export const TOPIC = z.string().max(80).describe('The topic, for example consulta.recibida; list_webhooks has them all')
export const DAY = z.string().max(40).describe('A day, YYYY-MM-DD')
export const PAGE = z.int().min(1).max(99).describe('The page, from 1')
export const LIMIT = z.int().min(1).max(100).default(20).describe('The most entries to answer')

/** The arguments that were given: the API distinguishes an absent parameter from an empty one. */
export const given = <T extends object>(args: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined)) as never
