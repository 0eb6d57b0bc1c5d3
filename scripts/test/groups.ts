import { availableParallelism } from 'node:os'

/** How many test files share a process: to start one and load the house takes longer than most of them. */
const FILES_A_PROCESS = 16

/** Deals the files out to processes, neighbours to different ones: slow files often stand side by side. */
export function dealOut(files: string[]): string[][] {
  const count = Math.min(files.length, Math.max(availableParallelism(), Math.ceil(files.length / FILES_A_PROCESS)))
  return Array.from({ length: count }, (_, group) => files.filter((_file, index) => index % count === group))
}
