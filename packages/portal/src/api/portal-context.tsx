// The client of this page, for every component below.
import type { Kiln } from '@kiln/sdk';
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Session, SessionState } from './session.js';

export interface Connection {
  portal: Kiln['portal'];
  session: Session;
}

const ConnectionContext = createContext<Connection | null>(null);
export const ConnectionProvider = ConnectionContext.Provider;

export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (!connection) throw new Error('useConnection is used outside of ConnectionProvider');
  return connection;
}

export const usePortal = (): Kiln['portal'] => useConnection().portal;

export function useSessionState(): SessionState {
  const { session } = useConnection();
  const [state, setState] = useState(session.state);
  useEffect(() => {
    setState(session.state);
    return session.subscribe(() => setState(session.state));
  }, [session]);
  return state;
}
