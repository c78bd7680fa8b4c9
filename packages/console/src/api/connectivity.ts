// Whether the server answers. Requests report it; while it is away, it is asked every few seconds.
import { useSyncExternalStore } from 'react';

const ASK_AGAIN_MS = 2_000;
const ANSWER_TIMEOUT_MS = 5_000;

const listeners = new Set<() => void>();
const returnListeners = new Set<() => void>();
let isAway = false;
let timer: ReturnType<typeof setTimeout> | undefined;

function change(next: boolean): void {
  if (next === isAway) return;
  isAway = next;
  clearTimeout(timer);
  if (isAway) timer = setTimeout(ask, ASK_AGAIN_MS);
  else for (const listener of returnListeners) listener();
  for (const listener of listeners) listener();
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
    change(false);
    return response;
  } catch (error) {
    // An abort says nothing of the server.
    if (error instanceof TypeError) change(true);
    throw error;
  }
};

/** Calls the listener each time the server is back. Returns a function that ends this. */
export function onServerReturn(listener: () => void): () => void {
  returnListeners.add(listener);
  return () => returnListeners.delete(listener);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useServerIsAway = (): boolean => useSyncExternalStore(subscribe, () => isAway);
