// The subjects that a service may use. For the API of JetStream see
// https://docs.nats.io/reference/reference-protocols/nats_api_reference
import {
  consumerName,
  deadLetterStream,
  deadLetterSubject,
  eventStream,
  eventSubject,
  inboxPrefix,
  outboxRequeueSubject,
  pingSubject,
  progressSubject,
  publicEventStream,
  publicEventSubject,
  rpcSubject,
  streamSubject,
  wakeUpSubject,
} from '@kiln/platform';
import type { BusAccess } from './bus-access.js';

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The subjects of Kiln's own installation; KILN_BUS_NAMESPACE has this default. */
export const NAMESPACE = 'kiln';

const ofOperations = (subject: string) => rpcSubject(NAMESPACE, subject);
const ofEvents = (type: string) => eventSubject(NAMESPACE, type);
const EVENTS = eventStream(NAMESPACE);
const PUBLIC_EVENTS = publicEventStream(NAMESPACE);
const DEAD_LETTERS = deadLetterStream(NAMESPACE);
const STREAMS = [EVENTS, PUBLIC_EVENTS, DEAD_LETTERS];
const api = (request: string) => `$JS.API.${request}`;

export function permissionsOf(access: BusAccess): Permissions {
  return {
    publish: sorted([...calling(access), ...replying(access), ...emitting(access), ...consuming(access)]),
    subscribe: sorted(listening(access)),
  };
}

/** Calls to other services and to itself, and the pings that tell a stopped service from a slow one. */
function calling({ service, calls, streamsFrom }: BusAccess): string[] {
  const called = [...new Set(calls.map(({ subject }) => subject.slice(0, subject.indexOf('.'))))];
  return [
    ofOperations(`${service}.>`),
    ...calls.map(({ subject }) => ofOperations(subject)),
    ...called.map((other) => pingSubject(NAMESPACE, other)),
    ...streamsFrom.map((other) => streamSubject(NAMESPACE, other, '*')),
  ];
}

const replying = ({ service }: BusAccess): string[] => [`${inboxPrefix('*')}.${service}.>`];

function emitting({ service, emits, emitsPublicEvents, consumes, progress }: BusAccess): string[] {
  const letters = [...consumes.map(({ type }) => consumerName(service, type)), `${service}-outbox`];
  return [
    ...emits.map(({ type }) => ofEvents(type)),
    ...(emitsPublicEvents ? [publicEventSubject(NAMESPACE, '*')] : []),
    ...letters.map((consumer) => deadLetterSubject(NAMESPACE, consumer)),
    ...(progress === 'sent' ? [progressSubject(NAMESPACE, '*')] : []),
    wakeUpSubject(NAMESPACE, `${service}.>`),
  ];
}

/** Requests to JetStream. Creating a stream that exists changes nothing. */
function consuming({ service, consumes, readsPublicEvents, changesStreams }: BusAccess): string[] {
  return [
    api('INFO'),
    ...STREAMS.flatMap((stream) => [api(`STREAM.INFO.${stream}`), api(`STREAM.CREATE.${stream}`)]),
    ...(changesStreams ? keeping : []),
    ...(consumes.length > 0 ? [api(`CONSUMER.LIST.${EVENTS}`)] : []),
    ...consumes.flatMap(({ type }) => durable(consumerName(service, type), ofEvents(type))),
    ...(readsPublicEvents ? reading(PUBLIC_EVENTS) : []),
  ];
}

/** The keeper finds the events that all have acknowledged, and removes them. A login that may update a stream can do both in other ways. */
const keeping = [
  ...STREAMS.map((stream) => api(`STREAM.UPDATE.${stream}`)),
  ...['CONSUMER.LIST', 'STREAM.MSG.GET', 'STREAM.PURGE'].map((request) => api(`${request}.${EVENTS}`)),
];

/** One consumer of one type of event, which it cannot create for another type. */
const durable = (consumer: string, subject: string): string[] => [
  api(`CONSUMER.CREATE.${EVENTS}.${consumer}.${subject}`),
  api(`CONSUMER.INFO.${EVENTS}.${consumer}`),
  api(`CONSUMER.MSG.NEXT.${EVENTS}.${consumer}`),
  `$JS.ACK.${EVENTS}.${consumer}.>`,
];

/** Consumers with names that the client chooses, which remember nothing. */
const reading = (stream: string): string[] => [
  api(`STREAM.MSG.GET.${stream}`),
  api(`CONSUMER.CREATE.${stream}.>`),
  ...['INFO', 'MSG.NEXT', 'DELETE'].map((request) => api(`CONSUMER.${request}.${stream}.*`)),
];

function listening({ service, follows, progress }: BusAccess): string[] {
  return [
    `${inboxPrefix(service)}.>`,
    ofOperations(`${service}.>`),
    pingSubject(NAMESPACE, service),
    streamSubject(NAMESPACE, service, '*'),
    outboxRequeueSubject(NAMESPACE, service),
    wakeUpSubject(NAMESPACE, `${service}.>`),
    ...follows.map(({ type }) => ofEvents(type)),
    ...(progress === 'followed' ? [progressSubject(NAMESPACE, '*')] : []),
  ];
}

const sorted = (subjects: readonly string[]) => [...new Set(subjects)].toSorted((a, b) => (a < b ? -1 : 1));
