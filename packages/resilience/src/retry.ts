// Retries within a process. Nothing is stored: work that must survive the process has a due time in a table.

export interface RetryOptions {
  /** Milliseconds until the next attempt, after the `failures`-th failure. Null: no further attempt, and the error is thrown. */
  waitMs: (error: unknown, failures: number) => number | null;
  /** Ends a wait. */
  signal?: AbortSignal;
}

/** Throws the error of the last attempt, or the signal's reason when it fires during a wait. */
export async function retry<Result>(work: () => Promise<Result>, { waitMs, signal }: RetryOptions): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const milliseconds = waitMs(error, failures);
      if (milliseconds === null) throw error;
      await pause(milliseconds, signal);
    }
  }
}

/** Throws the signal's reason when it fires meanwhile. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
