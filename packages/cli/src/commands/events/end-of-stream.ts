import type { Context } from '../../context.js';
import { CommandFailure } from '../../exit-codes.js';

/** The error with which a command ends whose stream of events has ended. `next` says how to continue. Empty if there was no event. */
export function endOfStream({ signal, talk }: Pick<Context, 'signal' | 'talk'>, error: unknown, next: string): unknown {
  if (signal.aborted) return new CommandFailure('interrupted', next);
  // Events that have expired, for example, are gone.
  if (next !== '' && (error as { retryable?: unknown }).retryable === true) talk(next);
  return error;
}
