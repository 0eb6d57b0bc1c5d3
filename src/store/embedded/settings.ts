/** The database is reached through this port's socket file only; the number is part of its name. */
export const PORT = 5432

/**
 * How PostgreSQL runs beside the server on one machine. Given on the command line, so that what runs is what stands
 * here, and so that a postmaster left by an earlier version can be told from ours by its recorded arguments.
 */
export const SETTINGS = {
  // Reached through a socket in its own folder, which only its owner and root can enter.
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  port: String(PORT),
  max_connections: '100',
  shared_buffers: '128MB',
  // Shared memory taken at the start: small /dev/shm of containers, and logind's cleaning at logout, then do no harm.
  min_dynamic_shared_memory: '16MB',
  // What was answered is on disk. These are the defaults, written down because everything rests on them.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_compression: 'on',
  max_wal_size: '1GB',
  // Our statements are short: compiling them costs more than it saves.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements and details hold people's data, which a log must not.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  cluster_name: 'rodado',
} as const

/** The settings as `postgres` takes them. */
export function settingArguments(extra: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries({ ...SETTINGS, ...extra }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
