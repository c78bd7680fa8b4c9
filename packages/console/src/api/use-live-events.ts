import type { StreamedEvent } from '@kiln/sdk';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useConnection } from './kiln-context.js';
import type { StreamState } from './live-events.js';

/** Calls the listener for each event while the component is shown. */
export function useLiveEvents(listener: (event: StreamedEvent) => void): void {
  const { events } = useConnection();
  const onEvent = useEffectEvent(listener);
  useEffect(() => events.listen((event) => onEvent(event)), [events]);
}

export function useStreamState(): StreamState {
  const { events } = useConnection();
  return useSyncExternalStore(events.onState, () => events.state);
}
