import type { FastifyReply } from 'fastify'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'

/** Sends a page; text in elements is escaped. */
export function page(reply: FastifyReply, content: VNode | Buffer, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .send(Buffer.isBuffer(content) ? content : print(content))
}

/** A page that is the same for everyone, rendered once. */
export function kept(make: () => VNode): () => Buffer {
  let bytes: Buffer | undefined
  return () => {
    bytes ??= Buffer.from(print(make()))
    return bytes
  }
}

const print = (element: VNode): string => `<!doctype html>\n${renderToString(element)}\n`
