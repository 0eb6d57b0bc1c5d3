import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { UsageError } from './command.ts'

/** The bytes of a file, or of the input for `-`. */
export async function readInput(name: string, input: NodeJS.ReadableStream): Promise<Buffer> {
  if (name === '-') return buffer(input)
  return readFile(name).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${name} cannot be read (${error.code}).`)
  })
}

/** The text of an option, or for `@file` and `@-` the bytes of the file or the input. */
export const readBody = async (
  text: string,
  input: NodeJS.ReadableStream,
): Promise<string | Uint8Array<ArrayBuffer>> =>
  text.startsWith('@') ? new Uint8Array(await readInput(text.slice(1), input)) : text
