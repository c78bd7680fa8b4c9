import type { StreamedEvent } from '@kiln/sdk';
import { useEffect, useEffectEvent } from 'react';
import { useConnection } from './kiln-context.js';
import type { StreamState } from './live-events.js';
import { useStore } from './use-store.js';

/** Calls the listener for each event while the component is shown. */
export function useLiveEvents(listener: (event: StreamedEvent) => void): void {
  const { events } = useConnection();
  const onEvent = useEffectEvent(listener);
  useEffect(() => events.listen((event) => onEvent(event)), [events]);
}

export const useStreamState = (): StreamState => useStore(useConnection().events.state);
