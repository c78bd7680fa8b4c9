// Every subject and stream name, in one place. The namespace keeps installations (and test runs) on one broker apart.

export const rpcSubject = (namespace: string, operationSubject: string) => `${namespace}.rpc.${operationSubject}`;
export const pingSubject = (namespace: string, service: string) => `${namespace}.ping.${service}`;
export const eventSubject = (namespace: string, type: string) => `${namespace}.events.${type}`;
export const deadLetterSubject = (namespace: string, consumer: string) => `${namespace}.dead.${consumer}`;
/** Answered by the relays of a service: sends a row again that was set aside. */
export const outboxRequeueSubject = (namespace: string, service: string) => `${namespace}.outbox.${service}.requeue`;
export const wakeUpSubject = (namespace: string, name: string) => `${namespace}.wake.${name}`;

export const eventStream = (namespace: string) => `${namespace.toUpperCase()}_EVENTS`;
export const deadLetterStream = (namespace: string) => `${namespace.toUpperCase()}_DEAD_LETTERS`;

/** Durable name of a service's consumer of one event type. */
export const consumerName = (service: string, type: string) => `${service}-${type.replaceAll('.', '-')}`;
