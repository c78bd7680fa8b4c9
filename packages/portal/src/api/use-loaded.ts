// What a view loads. The former value stays while the next one is loaded.
import { onServerReturn } from '@kiln/console/api/connectivity.js';
import { UnauthorizedError } from '@kiln/sdk';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useConnection } from './portal-context.js';

export interface Loaded<Value> {
  value: Value | null;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
}

type Outcome<Value> = Pick<Loaded<Value>, 'value' | 'error'>;

/** Loads again when an input changes, and when the server is back. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
): Loaded<Value> {
  const { session } = useConnection();
  const [outcome, setOutcome] = useState<Outcome<Value>>({ value: null, error: null });
  const [isLoading, setLoading] = useState(true);
  const [attempt, setAttempt] = useState(0);
  const reload = useCallback(() => setAttempt((before) => before + 1), []);
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    setLoading(true);
    const read = async () => {
      const next = await outcomeOf(() => loadPermitted(() => load(signal), session));
      if (signal.aborted) return;
      setOutcome(({ value }) => ({ value: next.value ?? value, error: next.error }));
      setLoading(false);
    };
    void read();
    return () => left.abort();
  }, [attempt, ...inputs]);
  useEffect(() => onServerReturn(reload), [reload]);
  return { ...outcome, isLoading, reload };
}

async function outcomeOf<Value>(load: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await load(), error: null };
  } catch (error) {
    return { value: null, error };
  }
}

/** Repeats a refused request once if the token is valid: it was sent with the one before. */
export async function loadPermitted<Value>(
  load: () => Promise<Value>,
  session: { recheck: () => Promise<boolean> },
): Promise<Value> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof UnauthorizedError && (await session.recheck())) return load();
    throw error;
  }
}
