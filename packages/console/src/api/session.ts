// The credentials of this browser tab. They end with the tab, or when the server refuses them.
import { useSyncExternalStore } from 'react';

export interface Session {
  apiKey: string;
  /** The id of the key, if a sign-in code was exchanged for it. To sign out revokes it. */
  keyId: string | null;
}

export type EndReason = 'signed-out' | 'refused';

interface State {
  session: Session | null;
  /** Why the last session has ended. */
  ended: EndReason | null;
}

const STORAGE_KEY = 'kiln.session';
const listeners = new Set<() => void>();
let state: State = { session: stored(), ended: null };

function stored(): Session | null {
  try {
    const { apiKey, keyId } = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '') as Partial<Session>;
    return typeof apiKey === 'string' ? { apiKey, keyId: typeof keyId === 'string' ? keyId : null } : null;
  } catch {
    return null;
  }
}

function change(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

export function beginSession(session: Session): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(session));
  change({ session, ended: null });
}

export function endSession(reason: EndReason): void {
  sessionStorage.removeItem(STORAGE_KEY);
  change({ session: null, ended: reason });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSession = (): State => useSyncExternalStore(subscribe, () => state);
