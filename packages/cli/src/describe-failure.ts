import { CommandFailure, type ExitName } from './exit-codes.js';

export interface Failure {
  exit: ExitName;
  /** For stderr. Empty if there is nothing to add to the output. */
  message: string;
}

/** What an error means for the caller of the command: the exit code and what to do. Loads the SDK only for this. */
export async function describeFailure(thrown: unknown, signal: AbortSignal): Promise<Failure> {
  if (thrown instanceof CommandFailure) return { exit: thrown.exit, message: thrown.message };
  if (signal.aborted) return { exit: 'interrupted', message: '' };
  const { KilnApiError, KilnError } = await import('@kiln/sdk');
  if (!(thrown instanceof KilnError)) return { exit: 'failed', message: messageOf(thrown) };
  const request = thrown.requestId === null ? '' : `, request ${thrown.requestId}`;
  const message = `${thrown.message} (${thrown.code}${request})`;
  const isRefused = thrown instanceof KilnApiError && (thrown.status === 401 || thrown.status === 403);
  if (isRefused) return { exit: 'auth', message: `${message}\nLog in with: kiln login` };
  return { exit: thrown.retryable ? 'retry' : 'failed', message };
}

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
