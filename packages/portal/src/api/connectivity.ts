// Whether the server answers. Requests report it; while it is away, it is asked every few seconds.
import { useEffect, useState } from 'preact/hooks';

const ASK_AGAIN_MS = 2_000;
const ANSWER_TIMEOUT_MS = 5_000;

const listeners = new Set<(isAway: boolean) => void>();
let isAway = false;
let timer: ReturnType<typeof setTimeout> | undefined;
/** How far the clock of the server is ahead. Only its clock says when a token expires. */
let aheadMs = 0;

export const serverNow = (): number => Date.now() + aheadMs;

function change(next: boolean): void {
  if (next === isAway) return;
  isAway = next;
  clearTimeout(timer);
  if (isAway) timer = setTimeout(ask, ASK_AGAIN_MS);
  for (const listener of listeners) listener(isAway);
}

async function ask(): Promise<void> {
  try {
    const { ok } = await fetch('/livez', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    if (ok) return change(false);
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
    change(false);
    return response;
  } catch (error) {
    // An abort says nothing of the server.
    if (error instanceof TypeError) change(true);
    throw error;
  }
};

/** Calls the listener each time the server goes away or is back. Returns a function that ends this. */
export function onConnectivity(listener: (isAway: boolean) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useServerIsAway(): boolean {
  const [shown, setShown] = useState(isAway);
  useEffect(() => onConnectivity(setShown), []);
  return shown;
}
