import type { FastifyReply } from 'fastify'
import { invalid, type Problem } from './problems.ts'
import type { Form, SerializedCatalogue } from './serialized-catalogue.ts'

interface Found<Row> {
  kind: 'match'
  entry: Row
  rule: string
  score: number
}

interface NotFound<Near> {
  kind: 'none'
  parameter: string
  reason: string
  candidates: readonly { entry: Near; score: number }[]
}

/** A value matched to a record of ours, or the refusal to guess. */
export type Matched<Row> = Found<Row> | Problem

/** Turns a matcher's result into one that can be answered; what came near is shown as references. */
export function matched<Row, Near>(
  result: Found<Row> | NotFound<Near>,
  ref: (near: Near) => { href: string; title: string },
): Matched<Row> {
  if (result.kind === 'match') return result
  const candidates = result.candidates.map(({ entry, score }) => ({ ...ref(entry), Score: score }))
  return invalid({ [result.parameter]: [result.reason] }, { Candidatos: candidates })
}

/** The record, with the reason for it in `Match`; or 400 with those that came near: unknown is better than wrong. */
export function answerMatch<Row extends { id: number }>(
  reply: FastifyReply,
  serialized: SerializedCatalogue<Row>,
  form: Form,
  result: Matched<Row>,
): Buffer {
  if (result instanceof Error) throw result
  reply.header('match', `rule=${result.rule}, score=${result.score}`)
  return serialized.print(form, result.entry)
}
