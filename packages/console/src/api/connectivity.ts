// Whether the server answers. Requests report it; while it is away, it is asked every few seconds.
import { Store } from './store.js';

const ASK_AGAIN_MS = 2_000;
const ANSWER_TIMEOUT_MS = 5_000;

export const serverIsAway = new Store(false);
let timer: ReturnType<typeof setTimeout> | undefined;
/** How far the clock of the server is ahead. */
let aheadMs = 0;

/** By the clock of the server, which decides when a token expires. */
export const serverNow = (): number => Date.now() + aheadMs;

function report(isAway: boolean): void {
  if (isAway === serverIsAway.get()) return;
  clearTimeout(timer);
  if (isAway) timer = setTimeout(ask, ASK_AGAIN_MS);
  serverIsAway.set(isAway);
}

async function ask(): Promise<void> {
  try {
    const { ok } = await fetch('/livez', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    if (ok) return report(false);
  } catch {
    // It is still away.
  }
  timer = setTimeout(ask, ASK_AGAIN_MS);
}

/** `fetch`, which reports whether a response arrives. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) aheadMs = date - Date.now();
    report(false);
    return response;
  } catch (error) {
    // An abort says nothing of the server.
    if (error instanceof TypeError) report(true);
    throw error;
  }
};

/** Calls the listener each time the server is back. Returns a function that ends this. */
export const onServerReturn = (listener: () => void): (() => void) =>
  serverIsAway.subscribe(() => {
    if (!serverIsAway.get()) listener();
  });
