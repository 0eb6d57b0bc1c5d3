/** Part of the socket file's name; there is no TCP port. */
export const PORT = 5432

/**
 * Given on the command line, so that a postmaster left by an earlier version can be recognised by its recorded
 * arguments.
 */
export const SETTINGS = {
  // A socket in its own folder, which only its owner and root can enter.
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  port: String(PORT),
  max_connections: '100',
  shared_buffers: '128MB',
  // Allocated at the start, so that a small /dev/shm and logind's cleaning at logout do no harm.
  min_dynamic_shared_memory: '16MB',
  // The defaults, stated because durability depends on them.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_compression: 'on',
  max_wal_size: '1GB',
  // Our statements are short: compiling them does not pay.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Statements and details contain personal data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  cluster_name: 'rodado',
} as const

/** The settings as `postgres` takes them. */
export function settingArguments(extra: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries({ ...SETTINGS, ...extra }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
