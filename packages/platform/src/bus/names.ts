// All subject and stream names. The namespace separates installations (and test runs) that share a broker.

export const rpcSubject = (namespace: string, operationSubject: string) => `${namespace}.rpc.${operationSubject}`;
/** Where the caller of a streaming operation asks for the parts. */
export const streamSubject = (namespace: string, service: string, stream: string) =>
  `${namespace}.streams.${service}.${stream}`;
export const pingSubject = (namespace: string, service: string) => `${namespace}.ping.${service}`;
export const eventSubject = (namespace: string, type: string) => `${namespace}.events.${type}`;
/** The public events of one tenant, beside `eventSubject`. */
export const publicEventSubject = (namespace: string, tenantId: string) => `${namespace}.public.${tenantId}`;
/** The progress of the jobs of one tenant, over core NATS. */
export const progressSubject = (namespace: string, tenantId: string) => `${namespace}.progress.${tenantId}`;
export const deadLetterSubject = (namespace: string, consumer: string) => `${namespace}.dead.${consumer}`;
/** Handled by a service's relays: sends a quarantined outbox row again. */
export const outboxRequeueSubject = (namespace: string, service: string) => `${namespace}.outbox.${service}.requeue`;
/** `<service>.<occasion>`: the processes of a service wake each other only. */
export const wakeUpSubject = (namespace: string, name: string) => `${namespace}.wake.${name}`;

export const eventStream = (namespace: string) => `${namespace.toUpperCase()}_EVENTS`;
export const publicEventStream = (namespace: string) => `${namespace.toUpperCase()}_PUBLIC_EVENTS`;
export const deadLetterStream = (namespace: string) => `${namespace.toUpperCase()}_DEAD_LETTERS`;

/** The service that applies changes of the streams' configuration. The others may only create a stream that is missing. */
export const STREAM_KEEPER = 'files';

/** Durable name of the consumer of one event type in a service. */
export const consumerName = (service: string, type: string) => `${service}-${type.replaceAll('.', '-')}`;
