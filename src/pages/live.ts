import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { markup } from '../http/markup.ts'

/** Whether a part of a page asks for itself anew. */
export const asksForPart = ({ headers }: FastifyRequest): boolean => headers['hx-request'] === 'true'

/** What stands in a part, in short: a part that is asked for anew says what it has, and gets it only if that changed. */
export const versionOf = (shown: unknown): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16)

/** Answers with a part of a page; nothing where it has not changed, so that nobody's place on the page is lost. */
export function sendPart(reply: FastifyReply, part: VNode, seen: unknown, version: string): FastifyReply {
  if (seen === version) return reply.code(204).send()
  return reply.type('text/html; charset=utf-8').send(markup(part))
}

/** The attributes of a part that brings itself up to date. A refusal leaves it as it is: the next answer may be better. */
export const livePart = (href: string, seconds: number): Record<string, string> => ({
  'hx-get': href,
  'hx-trigger': `every ${seconds}s`,
  'hx-swap': 'outerMorph',
  'hx-status:4xx': 'swap:none',
  'hx-status:5xx': 'swap:none',
})
