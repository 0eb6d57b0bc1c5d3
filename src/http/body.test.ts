import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { type Body, readBody, releaseBody } from './body.ts'

const MIB = 1_048_576
const CHUNK = Buffer.alloc(MIB)

/** A request whose body has that many bytes so far, and does not end. */
async function begin(sender: string, bytes: number) {
  const raw = Object.assign(new PassThrough({ highWaterMark: 32 * MIB }), {
    headers: { 'transfer-encoding': 'chunked' },
    socket: { destroyed: false },
  }) as unknown as IncomingMessage & PassThrough
  const request = { raw, is404: false, routeOptions: { bodyLimit: 16 * MIB } } as unknown as FastifyRequest
  let refusal: Body | undefined
  void readBody(request, sender, true).then((body) => {
    refusal = body
  })
  for (let left = bytes; left > 0; left -= MIB) raw.write(CHUNK.subarray(0, Math.min(left, MIB)))
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  return { refusal: () => refusal, release: () => releaseBody(request) }
}

test('the bodies of all senders take 256 MiB; beyond, each sender may still have 512 KiB', async () => {
  const held: Awaited<ReturnType<typeof begin>>[] = []
  for (const sender of ['a', 'b', 'c', 'd']) for (let nth = 0; nth < 4; nth++) held.push(await begin(sender, 16 * MIB))
  assert.deepEqual(new Set(held.map(({ refusal }) => refusal())), new Set([undefined]))
  const [small, large, again] = [await begin('e', MIB / 2), await begin('f', MIB), await begin('e', MIB / 2)]
  assert.deepEqual([small.refusal(), large.refusal(), again.refusal()], [undefined, 'overloaded', 'overloaded'])
  for (const each of [...held, small, large, again]) each.release()
  const next = await begin('e', 16 * MIB)
  assert.equal(next.refusal(), undefined)
  next.release()
})
