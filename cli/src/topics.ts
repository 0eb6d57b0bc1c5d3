import type { Topic } from '@rodado/client'
import { UsageError } from './command.ts'
import { SAMPLES } from './samples.ts'
import { suggestion } from './suggestion.ts'

export const TOPICS = Object.keys(SAMPLES) as Topic[]

export function readTopic(text: string): Topic {
  const topic = TOPICS.find((known) => known === text)
  if (topic) return topic
  throw new UsageError(`there is no topic ${text}.${suggestion(text, TOPICS)} The topics are: ${TOPICS.join(', ')}.`)
}
