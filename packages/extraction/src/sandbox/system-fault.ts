/**
 * Faults of the machine that reads documents, as opposed to those of a document: no disk space, no free file, no process, no extractor.
 * The same document succeeds once the machine does, and every other document fails until then.
 */
import { ExtractionError } from '@kiln/pdf/extraction-error';

const systemCodes = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM']);
const causesMax = 10;

/** Whether `error`, or what caused it, is such a fault. */
export function isSystemFault(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < causesMax && typeof cause === 'object' && cause !== null; depth++) {
    if (cause instanceof ExtractionError && cause.code === 'unavailable') return true;
    if ('code' in cause && typeof cause.code === 'string' && systemCodes.has(cause.code)) return true;
    cause = 'cause' in cause ? cause.cause : null;
  }
  return false;
}
