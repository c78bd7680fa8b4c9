// The credentials of this browser tab. They end with the tab, or when the server refuses them.
import { Store } from './store.js';
import { useStore } from './use-store.js';

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
const state = new Store<State>({ session: stored(), ended: null });

function stored(): Session | null {
  try {
    const { apiKey, keyId } = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '') as Partial<Session>;
    return typeof apiKey === 'string' ? { apiKey, keyId: typeof keyId === 'string' ? keyId : null } : null;
  } catch {
    return null;
  }
}

export function beginSession(session: Session): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(session));
  state.set({ session, ended: null });
}

/** Ends this session. A late response to a former session does not end the present one. */
export function endSession(reason: EndReason, { apiKey }: Session): void {
  if (state.get().session?.apiKey !== apiKey) return;
  sessionStorage.removeItem(STORAGE_KEY);
  state.set({ session: null, ended: reason });
}

/** Returns a function that ends the subscription. */
export const onSessionEnd = (session: Session, listener: () => void): (() => void) =>
  state.subscribe(() => {
    if (state.get().session !== session) listener();
  });

export const useSession = (): State => useStore(state);
