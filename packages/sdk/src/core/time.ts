// Timers that end with a signal. (Node 18 has no `AbortSignal.any`.)

/** Timers take no longer times than this: 2³¹ − 1. */
const TIMER_MS_MAX = 2_147_483_647;

const timer = (callback: () => void, milliseconds: number) =>
  setTimeout(callback, Math.min(Math.max(0, milliseconds), TIMER_MS_MAX));

/** Rejects with the reason of the signal when it aborts. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(pause);
      reject(signal?.reason as Error);
    };
    const pause = timer(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

interface Timeout {
  timeoutMs: number;
  /** Makes what it rejects with when the time is over. An error is costly, and few are needed. */
  late: () => Error;
  signal: AbortSignal | undefined;
}

/** Gives `work` a signal that aborts with the caller's, or when the time is over. It then rejects, whether or not `work` ends. */
export async function withTimeout<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { timeoutMs, late, signal }: Timeout,
): Promise<Value> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const end = timer(() => controller.abort(late()), timeoutMs);
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      controller.signal.addEventListener('abort', reject, { once: true });
      work(controller.signal).then(resolve, reject);
    });
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(end);
    signal?.removeEventListener('abort', abort);
  }
}
