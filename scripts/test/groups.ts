import { availableParallelism } from 'node:os'

/** Test files per process: starting one and loading the server takes longer than most files. */
const FILES_A_PROCESS = 16

/** Distributes the files to processes, neighbours to different ones, since slow files are often adjacent. */
export function dealOut(files: string[]): string[][] {
  const count = Math.min(files.length, Math.max(availableParallelism(), Math.ceil(files.length / FILES_A_PROCESS)))
  return Array.from({ length: count }, (_, group) => files.filter((_file, index) => index % count === group))
}
