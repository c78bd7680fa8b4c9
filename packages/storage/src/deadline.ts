// Deadlines for outgoing calls and for the silence between two pieces of a body.
import { Readable } from 'node:stream';
import { StorageError } from './storage.errors.js';

/** Longest wait for one answer of a store; for bodies, the longest silence. */
export const REQUEST_TIMEOUT_DEFAULT_MS = 30_000;

interface DeadlineOptions {
  timeoutMs: number;
  /** The caller's own wish to stop; reported as not retryable. */
  signal?: AbortSignal | undefined;
  action: string;
}

/** Runs `call` with a signal that fires at the deadline or when the caller aborts, and names which of both it was. */
export async function withDeadline<T>(options: DeadlineOptions, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, timeoutMs, action } = options;
  throwIfAborted(signal, action);
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    abort();
  }, timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await call(controller.signal);
  } catch (error) {
    throwIfAborted(signal, action);
    if (!timedOut) throw error;
    throw new StorageError('unavailable', `${action}: no answer within ${timeoutMs} ms`, {
      cause: error,
      retryable: true,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

export function throwIfAborted(signal: AbortSignal | undefined, action: string): void {
  if (signal?.aborted) {
    throw new StorageError('unavailable', `${action}: aborted by the caller`, { cause: signal.reason });
  }
}

/** Passes `source` on until the caller aborts, also while the source hangs and will never answer again. */
export async function* untilAborted<T>(source: AsyncGenerator<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  if (signal === undefined) {
    yield* source;
    return;
  }
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new StorageError('unavailable', 'aborted by the caller', { cause: signal.reason }));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  aborted.catch(() => undefined); // nobody may be waiting when it happens
  try {
    for (;;) {
      const next = await Promise.race([source.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Passes `source` on, failing when the peer stays silent for `idleMs`. The clock only runs while somebody reads, so a
 * slow reader is never mistaken for a dead store.
 */
export function withIdleDeadline(source: Readable, idleMs: number, signal?: AbortSignal): Readable {
  const abort = (): void => {
    source.destroy(
      new StorageError('unavailable', 'reading the object: aborted by the caller', { cause: signal?.reason }),
    );
  };
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  const release = (): void => signal?.removeEventListener('abort', abort);
  const pieces = async function* (): AsyncGenerator<Buffer> {
    const iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const giveUp = (): void => {
      const message = `reading the object: nothing arrived for ${idleMs} ms`;
      source.destroy(new StorageError('unavailable', message, { retryable: true }));
    };
    let timer: NodeJS.Timeout | undefined;
    try {
      for (;;) {
        timer = setTimeout(giveUp, idleMs);
        const next = await iterator.next();
        clearTimeout(timer);
        if (next.done) return;
        yield next.value;
      }
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw new StorageError('unavailable', 'reading the object: the connection broke', {
        cause: error,
        retryable: true,
      });
    } finally {
      clearTimeout(timer);
      release();
      source.destroy();
    }
  };
  const guarded = Readable.from(pieces(), { objectMode: false, highWaterMark: 64 * 1024 });
  // A reader that gives up before the first piece never enters the generator, so its `finally` cannot clean up.
  guarded.once('close', () => {
    release();
    source.destroy();
  });
  return guarded;
}
