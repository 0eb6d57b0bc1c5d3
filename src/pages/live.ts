import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Whether a part of a page refreshes itself. */
export const asksForPart = ({ headers }: FastifyRequest): boolean => headers['hx-request'] === 'true'

/** A hash of the content of a part: it is sent again only if that changed. */
export const versionOf = (shown: unknown): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 16)

/** Sends a part of a page; 204 where it has not changed, so that focus and selection stay. */
export function sendPart(reply: FastifyReply, part: VNode, seen: unknown, version: string): FastifyReply {
  if (seen === version) return reply.code(204).send()
  return reply.type('text/html; charset=utf-8').send(renderToString(part))
}

/** The attributes of a part that refreshes itself. An error leaves it as it is. */
export const livePart = (href: string, seconds: number): Record<string, string> => ({
  'hx-get': href,
  'hx-trigger': `every ${seconds}s`,
  'hx-swap': 'outerMorph',
  'hx-status:4xx': 'swap:none',
  'hx-status:5xx': 'swap:none',
})
