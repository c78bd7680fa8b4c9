/** An error that the user at the terminal can fix: a stable code, and a message that says what to do. */
export class LauncherError extends Error {
  override readonly name = 'LauncherError';

  constructor(
    readonly code: LauncherErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

export type LauncherErrorCode =
  | 'config_invalid'
  | 'data_directory_in_use'
  | 'entry_missing'
  | 'login_missing'
  | 'migration_failed'
  | 'port_in_use'
  | 'server_not_found'
  | 'server_start_failed'
  | 'service_start_failed'
  | 'start_cancelled';

/** The message of any thrown value, in one line. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
