// Node.js prints its warnings as text, which no reader of the JSON lines expects.
import type { Logger } from './logger.js';

/** Logs the warnings of Node.js instead. */
export function logWarnings(logger: Pick<Logger, 'warn'>): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, 'Warning of Node.js'));
}
