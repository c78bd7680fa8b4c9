// The client of the signed-in user, for every component below.
import { Kiln } from '@kiln/sdk';
import { QueryClientProvider } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react';
import { onServerReturn, watchedFetch } from './connectivity.js';
import { LiveEvents } from './live-events.js';
import { createQueryClient } from './query-client.js';
import type { Session } from './session.js';

interface Connection {
  kiln: Kiln;
  session: Session;
  events: LiveEvents;
}

const KilnContext = createContext<Connection | null>(null);

export function KilnProvider({ session, children }: { session: Session; children: ReactNode }) {
  const { connection, queryClient } = useMemo(() => {
    const options = { baseUrl: location.origin, apiKey: session.apiKey, fetch: watchedFetch };
    const queryClient = createQueryClient(session);
    const events = new LiveEvents(options, () => void queryClient.invalidateQueries());
    return { connection: { kiln: new Kiln(options), session, events }, queryClient };
  }, [session]);
  useEffect(() => onServerReturn(() => void queryClient.invalidateQueries()), [queryClient]);
  useEffect(() => connection.events.start(), [connection]);
  return (
    <KilnContext value={connection}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </KilnContext>
  );
}

export function useConnection(): Connection {
  const connection = useContext(KilnContext);
  if (!connection) throw new Error('useConnection is used outside of KilnProvider');
  return connection;
}

export const useKiln = (): Kiln => useConnection().kiln;
