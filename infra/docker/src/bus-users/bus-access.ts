// What each service does on the bus. The contracts and its sources say so, except what `EXTRAS` lists.
import { isStreaming, publicEvents, type EventDefinition, type Operation } from '@kiln/contracts';
import { topology } from '@kiln/dev';
import { STREAM_KEEPER } from '@kiln/platform';
import { eventsConsumedBy, eventsNamedBy, eventsOwnedBy, operationsNamedBy } from './service-sources.js';

export interface BusAccess {
  readonly service: string;
  /** Operations of other services. */
  readonly calls: readonly Operation[];
  /** The services with streaming operations that it calls. */
  readonly streamsFrom: readonly string[];
  readonly emits: readonly EventDefinition[];
  readonly emitsPublicEvents: boolean;
  /** By durable consumers. */
  readonly consumes: readonly EventDefinition[];
  /** Over core NATS. */
  readonly follows: readonly EventDefinition[];
  readonly progress: 'sent' | 'followed' | 'unused';
  readonly readsPublicEvents: boolean;
  readonly changesStreams: boolean;
}

interface Extras {
  followsEvents?: boolean;
  progress?: BusAccess['progress'];
  readsPublicEvents?: boolean;
}

const EXTRAS: Readonly<Record<string, Extras>> = {
  gateway: { followsEvents: true, progress: 'followed', readsPublicEvents: true },
  jobs: { progress: 'sent' },
};

const serviceOf = ({ subject }: Operation) => subject.slice(0, subject.indexOf('.'));

function accessOf(service: string): BusAccess {
  const { followsEvents = false, progress = 'unused', readsPublicEvents = false } = EXTRAS[service] ?? {};
  const calls = operationsNamedBy(service).filter((operation) => serviceOf(operation) !== service);
  const emits = eventsOwnedBy(service);
  const others = eventsNamedBy(service).filter((definition) => !emits.includes(definition));
  return {
    service,
    calls,
    streamsFrom: [...new Set(calls.filter(isStreaming).map(serviceOf))],
    emits,
    emitsPublicEvents: emits.some((definition) => publicEvents.includes(definition)),
    consumes: eventsConsumedBy(service),
    follows: followsEvents ? others : [],
    progress,
    readsPublicEvents,
    changesStreams: service === STREAM_KEEPER,
  };
}

export const busAccess: readonly BusAccess[] = [...new Set(topology.map(({ service }) => service))].map(accessOf);
