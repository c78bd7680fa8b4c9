// Deadlines of outgoing calls, and idle timeouts of bodies.
import { Readable } from 'node:stream';
import { StorageError } from './storage.errors.js';

/** The longest wait for a response of a store. For bodies, the longest time without data. */
export const REQUEST_TIMEOUT_DEFAULT_MS = 30_000;

interface DeadlineOptions {
  timeoutMs: number;
  /** Aborts the call. The error is then not retryable. */
  signal?: AbortSignal | undefined;
  action: string;
  /** Converts what the call itself throws. */
  toError?: (error: unknown, action: string) => Error;
}

/** Runs `call` with a signal that fires at the deadline or when the caller aborts. The error says which of the two happened. */
export async function withDeadline<T>(options: DeadlineOptions, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, timeoutMs, action, toError } = options;
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
    if (!timedOut) throw toError ? toError(error, action) : error;
    const message = `no answer within ${timeoutMs} ms`;
    throw new StorageError('unavailable', `${action}: ${message}`, {
      cause: new DOMException(message, 'TimeoutError'),
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

/** Yields from `source` until the caller aborts, even while the source hangs. */
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
  aborted.catch(() => undefined); // the rejection may come when nothing awaits it
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
 * Forwards `source`, and fails when no data arrives for `idleMs`. The timer runs only while the reader waits for data, so a slow reader does
 * not cause a timeout.
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
    const failIdle = (): void => {
      const message = `reading the object: no data for ${idleMs} ms`;
      source.destroy(new StorageError('unavailable', message, { retryable: true }));
    };
    let timer: NodeJS.Timeout | undefined;
    try {
      for (;;) {
        timer = setTimeout(failIdle, idleMs);
        const next = await iterator.next();
        clearTimeout(timer);
        if (next.done) return;
        yield next.value;
      }
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw new StorageError('unavailable', 'reading the object: the connection was lost', {
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
  // A reader that stops before the first piece never enters the generator, so its `finally` does not run.
  guarded.once('close', () => {
    release();
    source.destroy();
  });
  return guarded;
}
